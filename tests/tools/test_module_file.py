"""The module that a command is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from dxir.errors import ParseError
from dxir.tools import module_file


def test_names_that_are_not_utf8_are_refused_in_a_contained_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "names.mlir"
    file.write_text(r'func.func @"\FF"(%x: tensor<f32>) { return }')
    monkeypatch.setattr(module_file, "is_contained", lambda: True)
    with pytest.raises(ParseError, match="is not UTF-8"):
        module_file.read_module(str(file))
