"""What `dxir doctor` tries in processes of their own, which may die of it.

`python -m dxir.tools.doctor_probes NAME [ARGUMENT] FILE` writes what the probe found as JSON: to a
file, since anything may write to the standard output here.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dxir.errors import DxirError

Found = dict[str, Any]
_SIZE = 64
_SEED = 0


def bindings(_: str) -> Found:
    """Whether MLIR can be loaded, and the versions of StableHLO."""
    from dxir.mlir import jaxlib_version
    from dxir.versions import current_version, oldest_version, resolve_version

    return {
        "jaxlib": jaxlib_version,
        "current": str(current_version()),
        "oldest": str(oldest_version()),
        "12w": str(resolve_version("12w")),
    }


def plugins(_: str) -> Found:
    """The PJRT plugins that are found; none of them is loaded."""
    from dxir.runtime.plugins import plugins

    return {"plugins": {name: str(path) for name, path in plugins().items()}}


def devices(target: str) -> Found:
    """The devices of a target, of which a plugin may have to be loaded."""
    import dxir

    found = dxir.devices(target)
    return {
        "version": found[0].client.version if found else "",
        "devices": [{"id": d.id, "kind": d.kind, "memory": d.memory()} for d in found],
    }


def extension(given: str) -> Found:
    """Something that another package declares for dxir, as `group:name`, imported."""
    group, _, name = given.partition(":")
    for entry in importlib.metadata.entry_points(group=group, name=name):
        entry.load()
    return {}


def targets(_: str) -> Found:
    """The targets there are, and the entry points that give none."""
    from dxir.targets.kernels import kernels_of
    from dxir.targets.registry import BROKEN, all_targets

    found = [
        {
            "name": target.name,
            "compiles_here": target.compiles_here,
            "needs": target.needs,
            "described_only": target.compile is None,
            "kernels": [kernel.call_target for kernel in kernels_of(target.name)],
        }
        for target in all_targets().values()
    ]
    broken = [{"name": n, "message": e.message, "hint": e.hint} for n, e in BROKEN.items()]
    return {"targets": found, "broken": broken}


def program(_: str) -> Found:
    """A small program: built, lowered, compiled, run, and held against the reference."""
    import numpy as np

    import dxir

    b = dxir.Builder("main")
    x = b.param(dxir.f32[_SIZE, _SIZE], name="x")
    function = b.build(dxir.ops.softmax(dxir.ops.matmul(x, x)))
    artifact = dxir.lower(function).serialize("12w")
    given = np.random.default_rng(_SEED).standard_normal((_SIZE, _SIZE)).astype(np.float32)
    start = time.perf_counter()
    run = dxir.compile(dxir.load(artifact), cache=False)
    seconds = time.perf_counter() - start
    computed = run(given).numpy()
    expected = dxir.evaluate(function, given)
    return {
        "compile_seconds": round(seconds, 3),
        "artifact_bytes": len(artifact),
        "difference": float(np.abs(computed - expected).max()),
        "close": bool(np.allclose(computed, expected, rtol=1e-4, atol=1e-6)),
    }


def process(_: str) -> Found:
    """One of several processes that add their numbers up; dxir-launch starts them."""
    import numpy as np

    import dxir

    with dxir.distributed.initialize():
        count = len(dxir.devices())
        rows = dxir.Sharding(dxir.Mesh("mesh", {"all": count}), "all")
        b = dxir.Builder("main")
        x = b.param(dxir.f32[count], name="x", sharding=rows)
        run = dxir.compile(b.build(dxir.ops.sum(x)), devices=count, cache=False)
        total = float(run(dxir.to_device(np.arange(count, dtype=np.float32), rows)).numpy())
        return {"processes": dxir.distributed.process_count(), "total": total}


PROBES: dict[str, Callable[[str], Found]] = {
    probe.__name__: probe
    for probe in (bindings, plugins, devices, extension, targets, program, process)
}


def main() -> int:
    """Run the probe that the command line names."""
    name, *given, path = sys.argv[1:]
    try:
        found: Found = PROBES[name](*given or ("",))
    except DxirError as error:
        found = {"error": error.message, "hint": error.hint}
    except Exception as error:  # noqa: BLE001  whatever a plugin, or a broken package, does
        said = str(error).strip().partition("\n")[0]
        found = {"error": f"{type(error).__name__}: {said}".removesuffix(": "), "hint": None}
    rank = os.environ.get("DXIR_PROCESS_ID", "0") if name == "process" else "0"
    if rank == "0":
        Path(path).write_text(json.dumps(found), encoding="utf-8")
    return 1 if "error" in found else 0


if __name__ == "__main__":
    sys.exit(main())
