"""The targets that dxir has, each in a file of its own; a file in this folder is found by itself.

What compiles and runs for a target is in a layer above, and is named here to be imported when it
is first asked for.
"""
