"""Recognition on modules that front ends exported: what is there is found, and nothing else."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir

_SPEC = importlib.util.spec_from_file_location(
    "recognition_corpus", Path(__file__).with_name("corpus.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
corpus = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = corpus
_SPEC.loader.exec_module(corpus)

BY_NAME = {module.name: module for module in corpus.modules()}
each_module = pytest.mark.parametrize("name", BY_NAME)


@each_module
def test_what_a_person_sees_is_found_and_nothing_else(name: str) -> None:
    module = BY_NAME[name]
    program = dxir.load(module.text).run_passes("dxir-recognize")
    assert module.differences(corpus.recognized(program)) == []


@each_module
def test_what_is_coarsened_and_decomposed_is_the_program_again(name: str) -> None:
    program = dxir.load(BY_NAME[name].text)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    assert "stablehlo.custom_call" not in coarse.op_counts()
    fine = coarse.run_passes("dxir-decompose")
    assert "stablehlo.composite" not in fine.op_counts()
    assert fine.fingerprint() == program.fingerprint()


def arguments(types: Iterable[dxir.TensorType]) -> list[np.ndarray[Any, Any]]:
    """Values of these types: labels and ids are small, and one number in each array is large."""
    random = np.random.default_rng(0)
    found: list[np.ndarray[Any, Any]] = []
    for type_ in types:
        value = random.normal(size=type_.shape)
        value.reshape(-1)[:1] = 60
        if type_.dtype.kind != "float":
            value = random.integers(0, 2 if type_.dtype.kind == "bool" else 4, type_.shape)
        found.append(value.astype(type_.dtype.numpy))
    return found


@pytest.mark.slow
@each_module
def test_a_coarse_module_computes_the_same_bit_for_bit(name: str) -> None:
    program = dxir.load(BY_NAME[name].text)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    one, other = dxir.compile(program), dxir.compile(coarse)
    given = arguments([parameter.type for parameter in one.parameters])
    before, after = one.run(given), other.run(given)
    assert [np.asarray(b).tobytes() for b in before] == [np.asarray(a).tobytes() for a in after]


def test_the_header_of_a_module_names_functions_and_patterns_that_exist() -> None:
    known = set(corpus.patterns())
    for module in BY_NAME.values():
        there = set(re.findall(r"func\.func (?:public |private )?@(\w+)", module.text))
        for counts in (module.expect, module.may):
            for group, patterns in counts.items():
                assert group <= there, module.name
                assert set(patterns) <= known, module.name
        assert module.producer, module.name


def test_modules_say_nothing_of_the_machine_they_were_made_on() -> None:
    for module in BY_NAME.values():
        assert "loc(" not in module.text, module.name
        assert len(module.text) < 60_000, module.name


def test_a_miss_is_of_a_module_that_exists_and_has_a_reason() -> None:
    assert set(corpus.misses()) <= set(BY_NAME)
    assert all(miss.why for miss in corpus.misses().values())


def test_the_table_of_recognition_rates_is_up_to_date() -> None:
    if not corpus.PAGE.is_file():
        pytest.skip("not a checkout")
    text = corpus.PAGE.read_text(encoding="utf-8")
    assert corpus.page(text) == text, "run `make generate`"
