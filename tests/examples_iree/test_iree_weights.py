"""The example that exports to IREE, where IREE is installed: it runs, and so do its commands."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("iree.compiler")
pytest.importorskip("iree.runtime")

EXAMPLE = Path(__file__).parents[2] / "examples" / "iree_weights.py"


def by_numpy(x: np.ndarray, width: int) -> np.ndarray:
    """The network of the example, in f64."""
    rng = np.random.default_rng(0)
    shared, first, second = (
        rng.normal(0, width**-0.5, (width, width)).astype(np.float32).astype(np.float64)
        for _ in range(3)
    )
    for weight in (first, second):
        x = np.tanh(np.tanh(x @ shared) @ weight)
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def test_the_network_runs_on_iree_and_the_commands_that_are_shown_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "--width", "512", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    out = capsys.readouterr().out
    assert not ended.value.code, out
    (error,) = re.findall(r"IREE with .irpa: off from the whole program by (\S+)", out)
    assert float(error) < 1e-5

    folders = [str(Path(sys.executable).parent), *(str(Path(p) / "bin") for p in sys.path)]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([*folders, os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    commands = [line for line in out.splitlines() if line.startswith("iree-")]
    assert len(commands) == 2
    for command in commands:
        done = subprocess.run(
            shlex.split(command), env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    expected = by_numpy(np.load(tmp_path / "input.npy").astype(np.float64), 512)
    np.testing.assert_allclose(np.load(tmp_path / "output.npy"), expected, rtol=1e-4)
