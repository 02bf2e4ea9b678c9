"""What passes know about dynamic shapes."""
