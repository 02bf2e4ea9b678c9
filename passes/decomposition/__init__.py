"""What becomes of composites: expanded, called as kernels, and what they share put together."""
