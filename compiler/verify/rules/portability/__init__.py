"""Whether other tools, other versions and other machines take a module."""
