"""What the pass dxir-mixed-precision is made of."""
