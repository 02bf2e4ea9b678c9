"""Writes the golden modules of the decoder anew: `make generate`, or this file by itself."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import dxir

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def golden_modules() -> dict[str, str]:
    """The text of each golden file, by its name."""
    spec = importlib.util.spec_from_file_location("demo", ROOT / "examples" / "llama_decoder.py")
    assert spec is not None
    assert spec.loader is not None
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    case = json.loads((ROOT / "examples" / "cases" / "llama_decoder.json").read_text())
    program = dxir.lower(demo.decoder_layer(case["configs"]["tiny"], case["params"]))
    return {
        "llama_decoder.mlir": f"{program}",
        "llama_decoder_decomposed.mlir": f"{program.decompose()}",
    }


if __name__ == "__main__":
    for name, text in golden_modules().items():
        (HERE / name).write_text(text, encoding="utf-8")
        print(f"wrote: tests/golden/{name}")
