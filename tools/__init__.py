"""The command line: what `dxir` and its relatives do."""
