"""The rules, one in each file, in a package for each family."""
