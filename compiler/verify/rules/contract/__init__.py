"""Whether a module keeps to what a project has agreed on: ops, sizes, costs, locations."""
