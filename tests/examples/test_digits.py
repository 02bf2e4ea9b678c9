"""Networks that learn to read the digits of scikit-learn, and the first look."""

import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dxir
from dxir.verify import check_module

EXAMPLES = Path(__file__).parents[2] / "examples"


class Ran(NamedTuple):
    """What an example printed, its exit code, and its names."""

    out: str
    err: str
    code: Any
    names: dict[str, Any]

    def percent(self, after: str = "") -> float:
        """The first share after a text."""
        found = re.search(r"([\d.]+)%", self.out[self.out.index(after) + len(after) :])
        assert found is not None
        return float(found[1])


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Runs an example in this process, with arguments, in an empty folder on a wide terminal."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))  # where Python looks when a script is run

    def run(path: str, *arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", [path, *map(str, arguments)])
        names: dict[str, Any] = runpy.run_path(str(EXAMPLES / path))
        code: Any = 0
        try:
            code = names["main"]()
        except SystemExit as end:
            code = end.code
        return Ran(*capsys.readouterr(), code or 0, names)

    return run


def right(ran: Ran) -> float:
    """How many of 100 test images are read right, which the table of digits must agree with."""
    rows = re.findall(r"│ \d +│ (\d+) +│ +([\d.]+)% +│.*│ (.*?) +│", ran.out)
    assert len(rows) == 10
    images = sum(int(count) for count, _, _ in rows)
    wrong = sum(int(n) for _, _, others in rows for n in re.findall(r"(\d+) as \d", others))
    found = re.search(r"([\d.]+)% of (\d+) test images", ran.out)
    assert found is not None
    assert int(found[2]) == images
    share = 100 * (1 - wrong / images)
    assert float(found[1]) == pytest.approx(share, abs=0.01)
    return share


def losses(ran: Ran) -> tuple[float, float]:
    """The loss of the first and of the last epoch."""
    found = re.search(r"^loss ([\d.]+) [▁-█]+ ([\d.]+) \(log scale\)$", ran.out, re.M)
    assert found is not None
    return float(found[1]), float(found[2])


def test_the_network_of_two_layers_reads_more_than_97_in_100(run: Callable[..., Ran]) -> None:
    ran = run("digits_mlp.py")
    assert ran.code == 0, ran.err
    assert "40/40" in ran.out
    assert right(ran) > 97
    first, last = losses(ran)
    assert last < first / 50
    assert ran.names["train_step"].traces == 1


@pytest.mark.slow
def test_the_convolutional_network_reads_more_than_985_in_1000(run: Callable[..., Ran]) -> None:
    ran = run("digits_cnn.py")
    assert ran.code == 0, ran.err
    assert right(ran) > 98.5
    assert ran.percent("The artifact reads ") == pytest.approx(right(ran), abs=0.01)
    assert "right, 100.00% as the network" in ran.out
    assert Path("out", "digits.mlirbc").is_file()


def test_a_convolutional_network_learns_and_its_artifact_reads_as_it_does(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = run("digits_cnn.py", "--epochs", 3, "--out", tmp_path / "made" / "here")
    assert ran.code == 0, ran.err
    assert right(ran) > 94
    assert "$ dxir-verify digits.mlirbc\n1 file checked: nothing found" in ran.out
    assert ran.percent("The artifact reads ") == pytest.approx(right(ran), abs=0.01)
    assert "right, 100.00% as the network" in ran.out

    program = dxir.load(tmp_path / "made" / "here" / "digits.mlirbc")
    assert program.minimum_version().version <= "1.0.0"
    assert {finding.severity for finding in check_module(program).findings} <= {"note"}
    digits = ran.names["load"](1)
    read = dxir.compile(program)
    for count in (1, 7):
        found = np.asarray(read(digits.test_images[:count, None]))
        assert found.shape == (count,)


def test_moved_images_are_theirs_a_pixel_further(run: Callable[..., Ran]) -> None:
    names = runpy.run_path(str(EXAMPLES / "digits_cnn.py"))
    images = np.random.default_rng(0).uniform(0.5, 1, (64, 1, 8, 8)).astype(np.float32)
    found = np.asarray(dxir.jit(names["moved"])(images, dxir.random.key(3)))
    framed = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    seen = {}
    for i, image in enumerate(found[:, 0]):
        places = [
            (a, b)
            for a in range(3)
            for b in range(3)
            if np.array_equal(image, framed[i, 0, a : a + 8, b : b + 8])
        ]
        assert len(places) == 1
        seen[places[0]] = seen.get(places[0], 0) + 1
    assert 30 < seen[1, 1] < 64
    assert len(seen) > 4


def test_digits_are_split_by_the_seed_and_with_as_many_of_each(run: Callable[..., Ran]) -> None:
    load = runpy.run_path(str(EXAMPLES / "digits_data.py"))["load"]
    one, again, other = load(1), load(1), load(2)
    assert (len(one.train_labels), len(one.test_labels)) == (1347, 450)
    assert np.ptp(np.bincount(one.test_labels)) <= 2
    assert one.train_images.max() == 1
    np.testing.assert_array_equal(one.test_images, again.test_images)
    assert not np.array_equal(one.test_labels, other.test_labels)


def test_without_scikit_learn_it_is_said_what_to_install(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    for path in ("digits_mlp.py", "digits_cnn.py"):
        said = run(path).code
        assert "the digits come with scikit-learn, which is not installed" in said
        assert "pip install scikit-learn" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--epochs", "0"), "'0' is no whole number from 1 on"),
        (("--seed=-1",), "'-1' is no whole number from 0 on"),
        (("--seed", "x"), "'x' is no whole number"),
    ],
)
def test_numbers_that_cannot_be_are_refused(
    arguments: tuple[str, ...], said: str, run: Callable[..., Ran]
) -> None:
    ran = run("digits_mlp.py", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_the_first_look_shows_what_jax_finds(run: Callable[..., Ran]) -> None:
    ran = run("quickstart.py")
    assert ran.code == 0, ran.err
    rng = np.random.default_rng(0)
    kernel, bias = rng.normal(size=(3, 2)).astype(np.float32), np.float32([0.1, -0.1])
    x = rng.normal(size=(4, 3)).astype(np.float32)
    value, slope = jax.value_and_grad(
        lambda bias: jnp.mean((jnp.tanh(x @ kernel + bias) - 1) ** 2)
    )(bias)
    for words in ("the loss is", "dxir.jit it is"):
        found = re.search(rf"{words} (\d\.\d+)", ran.out)
        assert found is not None
        assert float(found[1]) == pytest.approx(float(value), rel=1e-5)
    found = re.search(r"^\[(\S+) (\S+)\]$", ran.out, re.M)
    assert found is not None
    np.testing.assert_allclose([float(n) for n in found.groups()], slope, rtol=1e-4)
    assert "matmul(%x, %params.kernel)" in ran.out
    assert "stablehlo.dot_general" in ran.out
    assert "against NumPy" in ran.out
