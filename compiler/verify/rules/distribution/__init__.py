"""Whether meshes, shardings, groups of processes and donated buffers fit."""
