"""A small lit: RUN lines of `.mlir` tests, run in this process or through the executables."""
