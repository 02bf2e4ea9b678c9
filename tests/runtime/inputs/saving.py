"""`saving.py save|load|differ FOLDER`: arrays of several processes, in a folder."""

import sys

import ml_dtypes
import numpy as np

import dxir

what, folder = sys.argv[1:]
W = np.arange(96, dtype=np.float32).reshape(8, 12)
B = np.arange(12).astype(ml_dtypes.bfloat16)

dxir.distributed.initialize()
mesh = dxir.Mesh("m", {"x": len(dxir.devices())})
if what == "save":
    placed = {
        "w": dxir.to_device(W, dxir.Sharding(mesh, "x", None)),
        "b": dxir.to_device(B, dxir.Sharding(mesh, None)),
    }
    dxir.save_arrays(folder, {**placed, "n": W[0]})
elif what == "load":
    columns = dxir.Sharding(mesh, None, "x")
    loaded = dxir.load_arrays(folder, {"w": columns, "b": dxir.Sharding(mesh, "x"), "n": None})
    for name, expected in (("w", W), ("b", B)):
        found = loaded[name]
        assert not isinstance(found, np.ndarray)
        np.testing.assert_array_equal(found.gather(), expected)
    np.testing.assert_array_equal(loaded["n"], W[0])
else:
    dxir.save_arrays(folder, {"w": W} if dxir.distributed.process_index() == 0 else {"v": W})
