"""Python functions as programs: traced, called from one another, compiled when they are called."""
