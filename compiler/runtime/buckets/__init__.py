"""Dynamic dimensions rounded up to a few sizes, where what is added reaches no result."""
