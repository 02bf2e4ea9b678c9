"""What the passes that derive and batch functions are made of."""
