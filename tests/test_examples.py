"""The examples: each runs, checks itself against one device, and sends what is worked out here."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SLOW = ("mesh_2d", "sequence_parallel", "tensor_parallel")
PARALLEL = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem in SLOW))
    for path in sorted((EXAMPLES / "parallel").glob("*.py"))
]


def ring(n: int, bytes: int) -> int:
    """What a device sends of so many bytes to have all of them, or its part of their sum."""
    return -(-(n - 1) * bytes // n)


# The bytes that a device sends, by the formulas of docs/parallelism.md. Eight devices but in
# mesh_2d, which is 2 x 4.
GRADIENTS = 4 * (16 * 32 + 32 + 32 * 4)
ACTIVATIONS = 4 * 2 * 16 * 32
WEIGHTS = 4 * (32 * 64 + 64 * 16)
SLOTS = 4 * 8 * 4 * 8
MATRICES = 2 * 4 * 64 * 256
SENT = {
    "data_parallel": [f"{ring(8, 2 * (GRADIENTS + 4)):,} bytes in 4 all_reduce"],
    "tensor_parallel": [
        f"forward: 1 all_reduce, a device sends {2 * ring(8, ACTIVATIONS):,} bytes",
        f"back: 2 all_reduce, a device sends {4 * ring(8, ACTIVATIONS):,} bytes",
    ],
    "fsdp": [
        "a device holds 4,608 of 36,864 bytes",
        f"{2 * ring(8, WEIGHTS) + 7:,} bytes in 3 all_reduce",
        f"{ring(8, WEIGHTS):,} bytes in 2 all_gather",
        f"{ring(8, WEIGHTS):,} bytes in 2 reduce_scatter",
    ],
    "sequence_parallel": [
        f"{2 * ring(8, ACTIVATIONS):,} bytes in 2 all_gather",
        f"{2 * ring(8, ACTIVATIONS):,} bytes in 2 reduce_scatter",
        f"{2 * ring(8, 4 * 32):,} bytes in 1 all_reduce",
    ],
    "expert_parallel": [
        f"{4 * ring(8, SLOTS):,} bytes in 4 all_to_all",
        f"{2 * ring(8, 4 * 8 * 8):,} bytes in 1 all_reduce",
    ],
    "mesh_2d": [
        f"1 of {2 * ring(4, 4 * 64 * 64 // 2):,} bytes",
        f"3 of {2 * ring(2, MATRICES // 4) + 4:,} bytes",
        f"3 of {2 * ring(8, MATRICES) + 7:,} bytes",
    ],
    "pipeline_parallel": [f"{2 * 3 * 4 * 64 * 16:,} bytes went from group to group"],
}


@pytest.mark.parametrize("example", PARALLEL)
def test_a_way_to_be_parallel_gives_what_one_device_does_and_sends_what_the_formula_says(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")
    printed = capsys.readouterr().out
    for line in SENT[example.stem]:
        assert line in printed


@pytest.mark.slow
def test_four_processes_train_as_one_does() -> None:
    launch = Path(sys.executable).with_name("dxir-launch")
    example = EXAMPLES / "parallel" / "data_parallel.py"
    command = [launch, "-n", "4", "--plain", "--timeout=300", example]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()  # among which gloo may have written
    assert [line for line in lines if line.startswith(("loss ", "a step "))] == [
        "loss 3.3680 -> 0.5272 on 4 devices, as without",
        f'a step sends {ring(4, 2 * (GRADIENTS + 4)):,} bytes in 4 all_reduce over {{"data"}}',
    ]


def test_the_network_learns_the_spiral(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["train_mlp.py", "--steps", "60"])
    runpy.run_path(str(EXAMPLES / "train_mlp.py"), run_name="__main__")
    losses = [float(number) for number in re.findall(r"\d\.\d{4}", capsys.readouterr().out)]
    assert losses[-1] < losses[0] / 1.5
