"""Checks of modules of any producer: rules, what they find, and where that is told."""
