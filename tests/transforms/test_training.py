"""The example that trains a network."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_mlp.py"


def test_a_network_learns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "--steps", "60"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    rows = [row.split("│") for row in capsys.readouterr().out.splitlines() if "│" in row]
    losses = [float(row[2]) for row in rows]
    assert losses[-1] < 0.7 * losses[0]
