"""IREE: programs compiled by its compiler, in a process of its own, and run on processors.

Nothing else imports `iree`. Its compiler and its runtime come with `pip install 'dxir[iree]'`. What
compiles is in `compiling`; nothing is imported here, so that the child process starts at once.
"""
