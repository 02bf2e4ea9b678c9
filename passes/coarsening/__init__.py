"""How marked ops become a composite and its decomposition."""
