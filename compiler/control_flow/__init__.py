"""Choices and loops in functions that are traced, on containers of arrays."""
