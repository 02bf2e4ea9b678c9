"""Whether a module is well formed, beyond what the verifier of MLIR looks at."""
