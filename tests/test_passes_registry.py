"""Every pass has what a pass must have: words, explained options, tests, a section of the docs."""

import inspect
from pathlib import Path

import pytest

from dxir.mlir import make_context
from dxir.pipeline.base import Pass, all_passes, find_pass
from dxir.pipeline.native import native_passes
from dxir.pipeline.options import options_of
from dxir.pipeline.steps import all_aliases, resolve

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests" / "passes"
PASSES = {n: c for n, c in all_passes().items() if c.__module__.startswith("dxir.passes.")}

every_pass = pytest.mark.parametrize("cls", PASSES.values(), ids=PASSES)


def file_of(cls: type[Pass]) -> str:
    return cls.__module__.rpartition(".")[2]


@every_pass
def test_a_pass_is_named_as_its_file(cls: type[Pass]) -> None:
    words = file_of(cls).replace("_", "-")
    assert cls.name in (f"dxir-{words}", words)
    assert find_pass(cls.name) is cls


@every_pass
def test_a_pass_says_what_it_does_in_one_line(cls: type[Pass]) -> None:
    first, _, rest = (inspect.getdoc(cls) or "").partition("\n")
    assert first.endswith(".")
    assert len(first) <= 100
    assert not rest or rest.startswith("\n")
    module = inspect.getmodule(cls)
    assert module is not None
    assert inspect.cleandoc(module.__doc__ or "")


@every_pass
def test_an_option_says_what_it_means(cls: type[Pass]) -> None:
    for option in options_of(cls).values():
        assert option.help, option.name
        assert option.help[0].islower() or not option.help[0].isalpha(), option.name
        assert not option.help.endswith("."), option.name
        assert option.type_name, option.name


@every_pass
def test_a_pass_has_its_tests(cls: type[Pass]) -> None:
    file = file_of(cls)
    assert list(TESTS.glob(f"{file}*.mlir")), f"tests/passes/{file}.mlir is missing"
    assert (TESTS / f"test_{file}.py").is_file(), f"tests/passes/test_{file}.py is missing"


@every_pass
def test_a_pass_has_its_section_in_the_docs(cls: type[Pass]) -> None:
    page = ROOT / "docs" / "passes.md"
    if not page.is_file():
        pytest.skip("not a checkout")
    assert f"\n## {cls.name}\n" in page.read_text("utf-8")


def test_no_pass_or_pipeline_hides_one_of_mlir() -> None:
    assert not {*PASSES, *all_aliases()} & set(native_passes())


def test_every_named_pipeline_comes_to_passes_there_are() -> None:
    context = make_context()
    for name, alias in all_aliases().items():
        assert resolve(name, context), name
        assert alias.help.endswith(".")
