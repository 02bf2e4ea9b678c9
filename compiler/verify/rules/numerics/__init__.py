"""Whether a module computes the numbers that it is meant to."""
