"""What ops on constants give."""
