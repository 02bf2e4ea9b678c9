"""The corpus is what the scripts write that it comes from, with the versions that it names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SCRIPTS = {
    path.stem: path
    for path in sorted((HERE / "producers").glob("*.py"))
    if "__main__" in path.read_text(encoding="utf-8")
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_the_corpus_is_what_the_scripts_write(name: str, tmp_path: Path) -> None:
    environment = os.environ | {"JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(SCRIPTS[name]), str(tmp_path)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if "ModuleNotFoundError" in ran.stderr:
        pytest.skip(ran.stderr.strip().rpartition("\n")[2])
    assert ran.returncode == 0, ran.stderr
    written = sorted(tmp_path.glob("*/*.mlir"))
    assert written
    for path in written:
        text = path.read_text(encoding="utf-8")
        kept = HERE / "corpus" / path.relative_to(tmp_path)
        there = kept.read_text(encoding="utf-8")
        if text.partition("\n")[0] != there.partition("\n")[0]:
            pytest.skip(f"the corpus has {there.partition(chr(10))[0]}")
        assert text == there, f"{kept.name} is not what {name}.py writes"
