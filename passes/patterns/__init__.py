"""The patterns that `dxir-recognize` finds, one in a file, each with its `RULES`."""
