"""What propagation and partitioning are made of."""
