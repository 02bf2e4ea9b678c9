"""The examples: each runs, checks itself against one device, and sends what is worked out here."""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
import safetensors.numpy

import dxir

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
SPIRAL = 4 * (2 * 48 + 48 + 48 * 48 + 48 + 48 * 3 + 3)
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
    "train_data_parallel": [f"{ring(8, 2 * (SPIRAL + 4)):,} bytes in 7 all_reduce"],
    "pipeline_parallel": [f"{2 * 3 * 4 * 64 * 16:,} bytes went from group to group"],
}


class Ran(NamedTuple):
    """What an example printed, and its exit code."""

    out: str
    err: str
    code: int

    def numbers(self, row: str) -> list[float]:
        """The numbers of the first line that begins with a word, but for the sides of a table."""
        (line, *_) = (x for x in self.out.splitlines() if x.strip("│┃ ").startswith(row))
        found = re.findall(r"(?<![\w.])-?\d[\d,]*\.?\d*(?:e[-+]?\d+)?\b", line)
        return [float(number.replace(",", "")) for number in found]


@pytest.fixture
def run_example(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Runs an example in this process, with arguments, on a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.syspath_prepend(EXAMPLES)  # some import what is beside them

    def run(path: str, *arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", [path, *map(str, arguments)])
        code: Any = 0
        try:
            runpy.run_path(str(EXAMPLES / path), run_name="__main__")
        except SystemExit as end:
            code = end.code
        return Ran(*capsys.readouterr(), code or 0)

    return run


def run_apart(path: str, *arguments: object, **environment: str) -> Ran:
    """Runs an example in a process of its own, which what it registers ends with."""
    done = subprocess.run(
        [sys.executable, EXAMPLES / path, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "200", "PYTHONUTF8": "1", **environment},
    )
    return Ran(done.stdout, done.stderr, done.returncode)


def test_the_page_of_examples_has_each_of_them() -> None:
    page = (EXAMPLES.parent / "docs" / "examples.md").read_text("utf-8")
    beside = {"digits_data.py", "expression_syntax.py"}  # what others import
    names = {path.name for path in EXAMPLES.glob("*.py")} - beside
    assert not {name for name in names if f"](../examples/{name})" not in page}


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


def test_a_toy_program_gives_the_value_and_derivative_of_its_formula(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = run_example("expression_language.py", "--at", "r=1.2", "--out", tmp_path)
    assert ran.code == 0, ran.err
    energy = lambda r: 4 * (r**-12 - r**-6)  # noqa: E731  the formula of the program
    assert ran.numbers("main =") == pytest.approx([energy(1.2) - energy(2.5)], rel=1e-5)
    slope = 4 * (-12 * 1.2**-13 + 6 * 1.2**-7)
    assert ran.numbers("r ") == pytest.approx([1.2, slope], rel=1e-5)
    program = dxir.load(tmp_path / "lennard_jones.mlirbc")
    assert program.minimum_version().version <= "1.0.0"
    assert float(dxir.compile(program)(np.float32(2.6))) == 0  # beyond where it is cut off
    assert float(dxir.compile(program)(np.float32(1))) == pytest.approx(-energy(2.5), rel=1e-5)


def test_a_toy_neuron_has_the_gradient_that_jax_finds(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    path = EXAMPLES / "data" / "neuron.toy"
    at = ("--at", "w=0.5,-1,2,0.25", "x=1,2,0.5,-3", "bias=0.1", "wanted=-0.5")
    ran = run_example("expression_language.py", path, *at, "--out", tmp_path)
    assert ran.code == 0, ran.err
    w, x = np.float32([0.5, -1, 2, 0.25]), np.float32([1, 2, 0.5, -3])
    loss = lambda w, x, b, t: (jax.numpy.tanh(w @ x + b) - t) ** 2  # noqa: E731
    value, gradients = jax.value_and_grad(loss, argnums=(0, 1, 2, 3))(w, x, 0.1, -0.5)
    assert ran.numbers("main =") == pytest.approx([float(value)], rel=1e-5)
    for name, gradient in zip(["w", "x", "bias", "wanted"], gradients, strict=True):
        found = ran.numbers(f"{name} ")
        assert found[len(found) // 2 :] == pytest.approx(np.ravel(gradient).tolist(), rel=1e-4)


def test_an_error_about_a_toy_program_shows_its_line_and_column(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    path = EXAMPLES / "data" / "mistaken.toy"
    ran = run_example("expression_language.py", path, "--out", tmp_path)
    assert ran.code == 1
    first, *_, line, mark = ran.err.rstrip().splitlines()
    assert first.startswith(f"error: {path}:5:9: add: shapes [3] and [4] do not broadcast")
    assert line[mark.index("^")] == "+"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def main(x) =", "2: expected an expression, not the end"),
        ("def main(x) = x $ 2", "1:17: '$' means nothing here"),
        ("def main(x) = y", "1:15: y is not known here"),
        ("def f(x) = f(x) def main(x) = f(x)", "1:12: f is not known here"),
        ("def f(a) = a def main(x) = f(x, x)", "1:28: call: 'f' takes 1 operands"),
        ("def main(x: 3) = if x < 1 then 1 else 2", "1:18: cond: the predicate has type i1[3]"),
        ("def main(x: 3) = if x[0] < 1 then x else 2", "1:18: cond: false_branch returns f32[]"),
        ("def main(x: 3) = x", "1:18: main gives f32[3], not a number"),
        ("def main(x, x) = x", "1:13: function 'main' has two parameters called 'x'"),
        ("", "1: a program ends with `def main(...)`"),
        (f"def main(x) = {'(' * 5000}", "is nested too deeply"),
        (f"def main(x) = {'x + ' * 5000}x", "is nested too deeply"),
    ],
)
def test_what_is_wrong_with_a_toy_program_is_said_at_its_place(
    source: str, said: str, run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    path = tmp_path / "given.toy"
    path.write_text(source)
    ran = run_example("expression_language.py", path, "--out", tmp_path / "out")
    assert ran.code == 1
    assert said in ran.err


def test_arguments_that_a_toy_program_does_not_take_are_refused(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    for at, said in {
        "q=1": "main has no 'q'",
        "r=1,2": "r takes 1 number(s)",
        "r": "not ''",
    }.items():
        ran = run_example("expression_language.py", "--at", at, "--out", tmp_path)
        assert (ran.code, said in ran.err) == (1, True), ran.err


def process_loss(settings: Any, x: Any, y: Any) -> Any:
    """What custom_kernel.py minimizes, by JAX."""
    length, height, noise = jax.numpy.exp(settings)
    distance = (x[:, None] - x[None, :]) / length
    covariance = height * jax.numpy.exp(-0.5 * distance**2) + noise * jax.numpy.eye(len(x))
    log_determinant = jax.numpy.linalg.slogdet(covariance)[1]
    return 0.5 * y @ jax.numpy.linalg.solve(covariance, y) + 0.5 * log_determinant


@pytest.mark.parametrize("points", [4, 48])
def test_a_kernel_gives_the_loss_and_gradient_that_its_decomposition_and_jax_do(
    points: int,
) -> None:
    ran = run_apart("custom_kernel.py", "--points", points, "--steps", 5)
    assert ran.code == 0, ran.err
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 6, points)).astype(np.float32)
    y = (np.sin(2 * x) + rng.normal(0, 0.1, x.shape)).astype(np.float32)
    value, slope = jax.value_and_grad(process_loss)(np.zeros(3, np.float32), x, y)
    for way in ("loop, derived", "loop, by rule", "kernel, by rule"):
        *found, _ = ran.numbers(way)
        assert found == pytest.approx([float(value), *slope.tolist()], rel=1e-3, abs=2e-4)
    assert ("became a call of the kernel @lapack_spotrf_ffi" in ran.out) == (points > 8)
    assert ("No kernel is called" in ran.out) == (points < 8)
    before, after, steps, *_ = ran.numbers("loss")  # the table has the word in its second column
    assert (before, steps) == (pytest.approx(float(value), abs=0.01), 5)
    assert after < before


STEPS = ("load", "recognize", "optimize", "differentiate", "batch", "ship")


@pytest.mark.slow
def test_a_module_of_jax_computes_what_jax_does_after_every_step(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = run_example("bring_a_jax_module.py", "--out", tmp_path)
    assert ran.code == 0, ran.out + ran.err
    assert "2 layer_norm, 1 attention, 1 transformer_mlp" in ran.out
    for step in STEPS:
        assert ran.numbers(step)[-1] < 1e-5
    ops = {step: int(ran.numbers(step)[-2]) for step in STEPS}
    assert ops["optimize"] < ops["load"]
    assert ops["batch"] < 1.1 * ops["optimize"]  # and not once for each of the batch
    for version in ("1.0.0", "12w"):
        program = dxir.load(tmp_path / f"jax_block_{version}.mlirbc")
        assert len(program.raise_()["main"].params) == 6
    assert program.minimum_version().version <= "1.0.0"


def test_the_module_that_ships_is_what_jax_exports(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    assert run_example("bring_a_jax_module.py", "--write", tmp_path / "now.mlir").code == 0
    names = runpy.run_path(str(EXAMPLES / "bring_a_jax_module.py"))
    arguments = names["inputs"]()
    by_jax = jax.jit(names["jax_loss"])(*arguments)
    for path in (tmp_path / "now.mlir", names["SHIPPED"]):
        assert float(dxir.compile(dxir.load(path))(*arguments)) == pytest.approx(
            float(by_jax), rel=1e-6
        )


def test_without_jax_the_module_that_ships_is_taken_and_exporting_is_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['jax'] = None")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    ran = run_apart("bring_a_jax_module.py", "--out", tmp_path, PYTHONPATH=paths)
    assert ran.code == 0, ran.err
    assert "JAX is not installed: the module that ships is taken, without a judge." in ran.out
    assert "All agree" not in ran.out
    ran = run_apart("bring_a_jax_module.py", "--write", tmp_path / "x", PYTHONPATH=paths)
    assert ran.code == 2
    assert "JAX, which is not installed: pip install jax" in ran.err


def test_a_network_is_exported_with_its_weights_in_files_beside_it(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = run_example("iree_weights.py", "--width", 512, "--layers", 1, "--out", tmp_path)
    assert ran.code == 0, ran.out + ran.err
    assert "StableHLO with safetensors, on XLA: off from the whole program by 0.0e+00" in ran.out
    rng = np.random.default_rng(0)
    shared, own = (rng.normal(0, 512**-0.5, (512, 512)).astype(np.float32) for _ in range(2))
    held = safetensors.numpy.load_file(tmp_path / "weights.safetensors").values()
    assert {array.tobytes() for array in held} == {shared.tobytes(), own.tobytes()}
    packed = (tmp_path / "weights.irpa").read_bytes()
    assert shared.tobytes() in packed
    assert own.tobytes() in packed
    for name in ("model.mlir", "model.mlirbc"):
        assert (tmp_path / name).stat().st_size < 10_000
    x = np.load(tmp_path / "input.npy").astype(np.float64)
    hidden = np.tanh(np.tanh(x @ shared) @ own)
    expected = np.exp(hidden) / np.exp(hidden).sum(-1, keepdims=True)
    whole = dxir.compile(dxir.load(tmp_path / "whole.mlirbc"))(x.astype(np.float32))
    np.testing.assert_allclose(whole, expected, rtol=1e-4)
    compiling, running = (line for line in ran.out.splitlines() if line.startswith("iree-"))
    assert compiling.startswith(f"iree-compile {tmp_path / 'model.mlir'} ")
    assert f"--parameters=model={tmp_path / 'weights.irpa'}" in running


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("iree_weights.py", "--width", 64), "'64' is not in 512..2048"),
        (("iree_weights.py", "--out", __file__), "cannot be a folder: File exists"),
        (("bring_a_jax_module.py", "--out", f"{__file__}/x"), "cannot be a folder: Not a dir"),
        (("bring_a_jax_module.py", "--write", "/nowhere/x.mlir"), "/nowhere/x.mlir: No such file"),
        (("llama_decoder.py", "--config", "huge"), "invalid choice: 'huge'"),
        (("custom_kernel.py", "--points", 0), "'0' is no whole number from 1 to 512"),
        (("target_plugin/demo.py", "--tokens", "many"), "'many' is no whole number from 1 to"),
        (("parallel/train_data_parallel.py", "--devices", 7), "--devices=7: 1 to 16 devices"),
        (("parallel/train_data_parallel.py", "--epochs", 0), "--epochs=0: one epoch at least"),
    ],
)
def test_arguments_that_cannot_be_are_refused_by_name(
    arguments: tuple[object, ...],
    said: str,
    run_example: Callable[..., Ran],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES / "target_plugin")
    ran = run_example(*arguments)
    assert (ran.code, said in ran.err) == (2, True), ran.err


def spiral_loss(params: Any, x: Any, arms: Any) -> Any:
    """What train_data_parallel.py minimizes, by JAX."""
    w1, b1, w2, b2, w3, b3 = params
    scores = jax.numpy.tanh(jax.numpy.tanh(x @ w1 + b1) @ w2 + b2) @ w3 + b3
    return -jax.nn.log_softmax(scores)[np.arange(len(arms)), arms].mean()


def test_training_on_four_devices_has_the_losses_that_jax_has_on_one(
    run_example: Callable[..., Ran],
) -> None:
    ran = run_example("parallel/train_data_parallel.py", "--devices", 4, "--epochs", 3)
    assert ran.code == 0, ran.out + ran.err
    rng = np.random.default_rng(0)
    arms = rng.integers(0, 3, 960)
    radius = rng.uniform(0.1, 1, 960)
    angle = radius * 5 + arms * (2 * np.pi / 3) + rng.normal(0, 0.12, 960)
    x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).astype(np.float32)
    rng = np.random.default_rng(1)
    shapes = [(2, 48), (48,), (48, 48), (48,), (48, 3), (3,)]
    scales = [s[0] ** -0.5 if len(s) > 1 else 0 for s in shapes]
    params = [
        rng.normal(0, scale, s).astype(np.float32) for scale, s in zip(scales, shapes, strict=True)
    ]
    momenta = [np.zeros_like(p) for p in params]
    step = jax.jit(jax.value_and_grad(spiral_loss))
    for epoch in 1, 2, 3:
        losses = []
        for at in range(0, 960, 240):
            value, gradients = step(params, x[at : at + 240], arms[at : at + 240])
            momenta = [0.9 * m + g for m, g in zip(momenta, gradients, strict=True)]
            params = [p - 0.1 * m for p, m in zip(params, momenta, strict=True)]
            losses.append(float(value))
        expected = pytest.approx(np.mean(losses), abs=2e-5)
        assert ran.numbers(f"{epoch} ")[1:3] == [expected, expected]


def test_the_decoder_layer_has_the_stated_loss_and_the_measured_gradient(
    run_example: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = run_example("llama_decoder.py", "--out", tmp_path)
    assert ran.code == 0, ran.out + ran.err
    case = json.loads((EXAMPLES / "cases" / "llama_decoder.json").read_text())["expected"]["tiny"]
    for row in "run", "NumPy reference", "stated":
        assert ran.numbers(row)[0] == pytest.approx(case["loss_f64"], rel=1e-5)
    assert "2 rms_norm, 1 rope_real, 1 attention, 1 transformer_mlp, 1 cross_entropy" in ran.out
    _, derived, measured, *_ = ran.numbers("gradient")
    assert derived == pytest.approx(measured, rel=0.01)
    assert ran.numbers("stated")[2:] == [5, pytest.approx(0, abs=1e-5)]
    assert dxir.load(tmp_path / "llama_decoder_tiny.mlirbc").main == "main"
