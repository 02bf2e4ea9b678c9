"""The public names: those that type checkers see, and those that can be had."""

import ast
import importlib.util
from pathlib import Path

import dxir


def _declared() -> set[str]:
    """The names that the face of the package imports for type checkers."""
    spec = importlib.util.find_spec("dxir")
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    (checking,) = [
        n for n in tree.body if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)
    ]
    return {
        alias.asname or alias.name
        for node in checking.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_type_checkers_see_the_names_that_there_are() -> None:
    assert sorted(_declared()) == dxir.__all__


def test_every_public_name_can_be_had() -> None:
    for name in dxir.__all__:
        assert getattr(dxir, name) is not None
    assert set(dxir.__all__) <= set(dir(dxir))
