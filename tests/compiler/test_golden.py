"""The decoder's emitted module, kept as files that `make generate` writes anew."""

import importlib.util
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden"


def test_the_decoder_is_emitted_as_the_golden_files_say() -> None:
    spec = importlib.util.spec_from_file_location("regenerate", GOLDEN / "regenerate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, text in module.golden_modules().items():
        assert text == (GOLDEN / name).read_text(encoding="utf-8"), f"run `make generate` ({name})"
