"""What is said about calls in NumPy's words, and about names that are not there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array
from dxir.errors import DxirError, OperandError
from dxir.graph import building

X = xp.reshape(xp.arange(6), (2, 3))


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: xp.sum(X, dim=0), r"did you mean axis\? it is called as sum\(x, /, \*, axis=None"),
        (lambda: xp.sum(X, axes=(0,)), r"did you mean axis\?"),
        (lambda: xp.mean(X, keepdim=True), r"did you mean keepdims\?"),
        (lambda: xp.std(X, ddof=1), r"did you mean correction\?"),
        (lambda: xp.clip(X, a_min=0), r"did you mean min\?"),
        (lambda: xp.reshape(X, newshape=(3, 2)), r"did you mean shape\?"),
        (lambda: xp.sum(X, out=X), "arrays are not written to"),
        (lambda: xp.sum(X, where=X > 1), r"dxir\.numpy\.where\(mask, x, neutral\)"),
        (lambda: xp.sort(X, kind="quicksort"), "`stable=` is all there is to choose"),
        (lambda: xp.sum(X, 0), r"it is called as sum\(x, /, \*, axis=None"),
        (lambda: xp.concat(X, X), r"it is called as concat\(arrays, /, \*, axis=0\)"),
        (lambda: xp.zeros(2, 3), r"it is called as zeros\(shape, \*, dtype=None"),
        (lambda: xp.reshape(X), r"it is called as reshape\(x, /, shape"),
    ],
)
def test_arguments_of_other_libraries_get_a_hint(call: Callable[[], Any], hint: str) -> None:
    with pytest.raises(OperandError, match=hint) as refused:
        call()
    assert __file__ in str(refused.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("power", "pow"), ("arcsin", "asin"), ("absolute", "abs"), ("hstack", "concat"),
        ("invert", "bitwise_invert"), ("unique", "unique_values"), ("float_", "float32"),
        ("random", "dxir.random"), ("softmax", "dxir.ops.softmax"), ("tanhh", "tanh"),
        ("maximun", "maximum"),
    ],
)  # fmt: skip
def test_names_of_numpy_get_a_hint(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=rf"no function '{name}'; did you mean {meant}"):
        getattr(xp, name)
    assert not hasattr(xp, name)


def test_every_hint_names_what_is_there() -> None:
    for meant in xp._OTHER_NAMES.values():
        found: Any = dxir if meant.startswith("dxir.") else xp
        for part in re.split(r"[(\[]", meant.removeprefix("dxir.").removeprefix("x."))[0].split(
            "."
        ):
            found = getattr(found if part != "at" else Array, part)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: bool(x[0, 0] > 0), "stands for any array while the function is traced"),
        (lambda x: float(x[0, 0]), "stands for any array while the function is traced"),
        (lambda x: np.sum(x), "stands for any array while the function is traced"),
        (lambda x: x.tolist(), "stands for any array while the function is traced"),
        (lambda x: x.item(), "stands for any array while the function is traced"),
        (lambda x: xp.repeat(x, xp.sum(x).astype(int)), "repeat: the size of its result depends"),
        (lambda x: x.at[0].set("text"), "an array or a number is needed, not str"),
        (lambda x: xp.where(x > 0, x, None), "an array or a number is needed, not None"),
        (lambda x: xp.sum([1, 2]), "an array or a number is needed, not list"),
        (lambda x: x.sum(axis=2), "axis 2 is out of range for an array of 2 axes"),
        (lambda x: x.astype("no type"), "'no type' is not an element type"),
    ],
)
def test_what_cannot_be_traced_says_so(call: Callable[[Any], Any], message: str) -> None:
    graph = dxir.Function("main", [dxir.f32[2, 3]])
    x = Array(graph.params[0])
    with building(graph), pytest.raises(DxirError, match=message) as refused:
        call(x)
    assert __file__ in str(refused.value)


def test_methods_are_the_functions_of_their_names() -> None:
    x = Array(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert (x.ndim, x.size, x.shape, x.device) == (2, 6, (2, 3), "cpu")
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.sum().item() == 15
    assert x.max(axis=1).tolist() == [2, 5]
    assert x.copy().dot(x.T).tolist() == [[5, 14], [14, 50]]
    assert x.swapaxes(0, 1).shape == x.transpose().shape == (3, 2)
    assert x.clip(1, 4).round().cumsum().tolist() == [1, 2, 4, 7, 11, 15]
    assert (x + 1j).real.tolist() == x.tolist()
    assert (x + 1j).conj().imag.sum().item() == -6
    assert x.argmax().item() == 5
    assert x.var().item() == pytest.approx(35 / 12)
    assert bool(x.any()) is not bool(x.all())
    assert 4.0 in x
    assert 9 not in x


def test_the_page_has_the_counts_of_the_comparison() -> None:
    from dxir.numpy.info import VERSION

    page = (Path(__file__).parents[2] / "docs" / "numpy.md").read_text(encoding="utf-8")
    strict = pytest.importorskip("array_api_strict")
    extensions = len(strict.linalg.__all__) + len(strict.fft.__all__)
    assert f"of version {VERSION}" in page
    assert f"{extensions} in the extensions" in page
