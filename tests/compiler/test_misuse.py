"""Wrong calls, wrong objects and wrong declarations: each ends in an error that says what to do."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import misuse, ops
from dxir.errors import (
    ArgumentError,
    AttributeValueError,
    DxirError,
    GraphError,
    OperandError,
    ParseError,
    SchemaError,
    ShardingError,
)
from dxir.examples import Example
from dxir.graph import Value
from dxir.lowering import lower_module
from dxir.op import FUNCTIONS, REGISTRY, Composite, composite_name
from dxir.testing.op_checks import check_types, check_values
from dxir.types import TensorType, f32

Anything: Any = ops  # calls that a type checker refuses, too


def values(*types: Any) -> Any:
    b = dxir.Builder("main")
    return [b.param(t) for t in types]


def refusal(kind: type[DxirError], call: Callable[[], Any]) -> str:
    with pytest.raises(kind) as error:
        call()
    assert error.value.where is not None
    assert error.value.where.startswith(f"{__file__}:")
    return str(error.value).partition(": ")[2]


(X,) = values(f32[2, 3])

CALLS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "an attribute by position": (
        lambda: Anything.reshape(X, (6,)),
        "reshape: 2 arguments are given by position, but it takes 1",
        "attributes are given by keyword; it is called as reshape(x, *, shape)",
    ),
    "another word for an attribute": (
        lambda: Anything.sum(X, axis=1),
        "sum: there is no attribute 'axis'",
        "did you mean axes? it is called as sum(x, *, axes=None, keepdims=False)",
    ),
    "another word that is spelt nothing alike": (
        lambda: Anything.softmax(X, dim=1),
        "softmax: there is no attribute 'dim'",
        "did you mean axis? ",
    ),
    "an attribute left out": (
        lambda: Anything.reshape(X),
        "reshape: `shape` is missing",
        "it is called as reshape(x, *, shape)",
    ),
    "an integer left out": (
        lambda: Anything.get_dimension_size(X),
        "get_dimension_size: `axis` is missing",
        "it is called as get_dimension_size(x, *, axis)",
    ),
    "an operand left out": (
        lambda: Anything.add(y=X), "add: `x` is missing", "it is called as add(x, y)"
    ),
    "operands left out": (lambda: Anything.stack(axis=0), "stack: `xs` is missing", ""),
    "a region left out": (
        lambda: Anything.while_loop(lambda x: x, init=(X,)), "while_loop: `body` is missing", ""
    ),
    "a reduction by NumPy's name": (
        lambda: Anything.max(X, axes=0),
        "max: there is no attribute 'axes'",
        "dxir.ops.reduce_max reduces over axes; it is called as max(x, y)",
    ),
    "too many operands": (
        lambda: Anything.add(X, X, X),
        "add: 3 arguments are given by position, but it takes 2",
        "it is called as add(x, y)",
    ),
    "a keyword of a plain function": (
        lambda: Anything.full((2,), 1),
        "full: takes 0 positional arguments but 2 were given",
        "what is after * goes by name, shape=; it is called as full(*, shape",
    ),
    "a callee given twice": (
        lambda: Anything.call((X,), callee=None),
        "call: got multiple values for argument 'callee'",
        "it is called as call(callee, *operands, inputs=(), **options)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_says_how_the_op_is_called(case: str) -> None:
    call, message, hint = CALLS[case]
    found = refusal(OperandError, call)
    assert found.startswith(message)
    assert f"hint: {hint}" in found or not hint


def test_a_right_call_takes_name_sharding_and_location_as_before() -> None:
    place = dxir.Location("a.lua", 3)
    node = ops.add(X, X, name="s", location=place).producer
    assert node is not None
    assert (node.name, node.location) == ("s", place)
    assert list(inspect.signature(ops.sum).parameters) == [
        "x", "axes", "keepdims", "name", "sharding", "location"
    ]  # fmt: skip


def test_what_other_libraries_call_an_op_is_suggested() -> None:
    for name, meant in (
        ("where", "select"),
        ("less", 'compare(x, y, direction="LT")'),
        ("greater", 'compare(x, y, direction="GT")'),
        ("concatenate", "concat"),
        ("sofmax", "softmax"),
    ):
        with pytest.raises(AttributeError) as error:
            getattr(ops, name)
        assert f"dxir has no op '{name}'; did you mean {meant}" in str(error.value)


def test_every_suggested_op_exists() -> None:
    known = dir(ops)
    for name, meant in misuse._OPS.items():
        assert name not in known
        for word in meant.replace(",", " ").replace("(", " ").split()[:1]:
            assert word in known, name
    assert {*misuse._REDUCTIONS} | {*misuse._REDUCTIONS.values()} <= {*ops.names()}


def test_names_and_signatures_of_plain_functions_are_their_own() -> None:
    assert FUNCTIONS["full"].__name__ == "full"
    assert "shape" in inspect.signature(FUNCTIONS["full"]).parameters


MODULE = dxir.Module([dxir.build_function(lambda x: x, f32[2], name="main")])

OBJECTS: dict[str, tuple[type[DxirError], Callable[[], Any], str]] = {
    "lower(builder)": (OperandError, lambda: dxir.lower(_any(dxir.Builder())), "b.build(result)"),
    "lower(program)": (OperandError, lambda: dxir.lower(_any(dxir.lower(MODULE))), "raise_()"),
    "Module(function)": (OperandError, lambda: dxir.Module(_any(MODULE["main"])), "Module([f])"),
    "compile(builder)": (ArgumentError, lambda: dxir.compile(_any(dxir.Builder())), "b.build"),
    "load(program)": (ParseError, lambda: dxir.load(_any(dxir.lower(MODULE))), "no loading"),
    "from_json(dict)": (SchemaError, lambda: dxir.from_json(_any({})), "json.dumps"),
    "Mesh(sizes)": (ShardingError, lambda: dxir.Mesh("m", _any([2, 4])), '{"x": 2, "y": 4}'),
    "Mesh(size)": (ShardingError, lambda: dxir.Mesh("m", _any(4)), '{"x": 2, "y": 4}'),
    "evaluate(program)": (
        ArgumentError, lambda: dxir.evaluate(_any(dxir.lower(MODULE))), 'target="reference"'
    ),
    "param(sharding=str)": (
        OperandError, lambda: dxir.Builder().param(f32[2], sharding=_any("data")), "dxir.Sharding("
    ),
    "build(list)": (OperandError, lambda: dxir.Builder().build(_any([X])), "b.build(*results)"),
    "build(number)": (OperandError, lambda: dxir.Builder().build(_any(1.0)), "np.float32(1.0)"),
    "reduce(inits=0.0)": (
        OperandError,
        lambda: Anything.reduce((X,), 0.0, lambda a, b: a + b, axes=(0,)),
        "np.float32(0.0)",
    ),
    "while_loop(init=[0, x])": (
        OperandError, lambda: ops.while_loop(lambda i, x: i, lambda i, x: i, _any([0, X])),
        "np.int32(0)",
    ),
    "cond(branch of 0.0)": (
        OperandError,
        lambda: ops.cond(np.bool_(True), lambda: X, lambda: 0.0),
        "np.float32(0.0)",
    ),
    "concat(x)": (OperandError, lambda: ops.concat(_any(X), axis=0), "xs=(x,)"),
    "x == 0": (GraphError, lambda: X == 0, 'direction="EQ"'),
    "x != 0.0": (GraphError, lambda: X != 0.0, 'direction="EQ"'),
    "array == x": (GraphError, lambda: np.zeros(3) == X, 'direction="EQ"'),
    "np.asarray(x)": (GraphError, lambda: np.asarray(X), "dxir.evaluate"),
    "np.sum([x])": (GraphError, lambda: np.sum(_any([X])), "dxir.evaluate"),
}  # fmt: skip


def _any(given: object) -> Any:
    return given


@pytest.mark.parametrize("case", OBJECTS)
def test_a_wrong_object_ends_in_a_hint(case: str) -> None:
    kind, call, hint = OBJECTS[case]
    assert hint in refusal(kind, call).partition("hint: ")[2]


def test_values_are_equal_to_themselves_only_and_are_keys() -> None:
    x, y = values(f32[2], f32[2])
    same = x
    assert x == same
    assert x != y
    assert not x == y  # noqa: SIM201
    assert x != None  # noqa: E711
    assert {x: 1, y: 2}[x] == 1
    assert x in [y, x]
    assert Value.__hash__ is object.__hash__
    assert (np.float32(2) * x).type == f32[2]


def test_a_dynamic_graph_runs_with_the_sizes_it_is_given() -> None:
    b = dxir.Builder("main")
    x = b.param(f32["n"])
    f = b.build(ops.exp(x))
    run = dxir.compile(f)
    for size in (3, 5):
        assert np.asarray(run(np.zeros(size, np.float32))).tolist() == [1] * size
    assert list(dxir.evaluate(f, np.zeros(3, np.float32))) == [1, 1, 1]


def test_shardings_of_nodes_and_results_are_printed() -> None:
    mesh = dxir.Mesh("m", {"d": 2})
    split, whole = dxir.Sharding(mesh, "d"), dxir.Sharding(mesh, None)
    b = dxir.Builder("main")
    x = b.param(f32[4], name="x", sharding=split)
    y = ops.neg(x, name="y", sharding=whole)
    assert str(b.build(y, x, shardings=[split, None])).splitlines() == [
        f"func @main(%x: f32[4] {split}) -> (f32[4] {split}, f32[4]) {{",
        f"  %y = neg(%x) : f32[4] {whole}",
        "  return %y, %x",
        "}",
    ]


def declare(name: str, problem: str = "") -> type[Composite]:
    class Snake(Composite, name=name):
        """Snake."""

        x: Value
        k: float = 1.0

        examples = (Example(x=f32[2]), Example(x=f32[2, 2], k=2.0))

        def prepare(self) -> None:
            if problem == "assignment":
                self.k = 2.0
            if problem == "mistake":
                {}["k"]

        def infer(self) -> TensorType:
            return self.x.tensor

        def expand(self, x: Value) -> Value:
            return ops.mul(x, self.k)

        def reference(self, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
            return np.asarray(x * np.float32(self.k))

    return Snake


@pytest.fixture
def registry() -> Any:
    before, functions = dict(REGISTRY), dict(vars(ops))
    yield
    REGISTRY.clear()
    REGISTRY.update(before)
    for name in vars(ops).keys() - functions.keys():
        delattr(ops, name)


@pytest.mark.parametrize("name", ["acme-snake", "class", "a.import", "a..b", ".a", "1a", "dxir.a"])
def test_an_op_cannot_have_a_name_that_python_or_mlir_does_not_take(name: str) -> None:
    message = refusal(GraphError, lambda: declare(name))
    assert f"op {name!r}" in message
    assert "that is no name for an op" in message


@pytest.mark.usefixtures("registry")
def test_a_name_that_is_taken_is_refused_naming_both_classes() -> None:
    for name, owner in (("silu", "activation.Silu"), ("full", "constants.full")):
        message = refusal(GraphError, lambda name=name: declare(name))
        assert f"({__name__}.declare.<locals>.Snake) is declared already by dxir" in message
        assert owner in message
        assert f"'acme.{name}'" in message
    declare("acme.snake")
    assert "runs once" in refusal(GraphError, lambda: declare("acme_snake"))


def test_an_op_declared_before_anything_else_leaves_the_others_alone() -> None:
    script = f"""
import sys; sys.path.insert(0, {str(__file__).rpartition("tests")[0]!r})
from dxir.errors import GraphError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Composite
from dxir.types import f32
for name in ("silu", "own"):
    try:
        class Mine(Composite, name=name):
            "Mine."
            x: Value
            examples = (Example(x=f32[2]),)
            def infer(self): return self.x.type
            def expand(self, x): return x
            def reference(self, x): return x
    except GraphError as error:
        print(error.where, error.message)
from dxir import ops
print(ops.silu.__module__, ops.softmax.__module__, ops.own.__module__)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == (
        "<string>:10 op 'silu' (__main__.Mine) is declared already by dxir.dialects.activation.Silu"
    )
    assert second == "dxir.dialects.activation dxir.dialects.nn __main__"


@pytest.mark.usefixtures("registry")
def test_an_op_with_a_namespace_travels_and_comes_back_under_its_own_name() -> None:
    cls = declare("acme.snake")
    for example in cls.examples:
        check_types(cls, example)
        check_values(cls, example)
    b = dxir.Builder("main")
    function = b.build(Anything.acme_snake(b.param(f32[2]), k=3.0))
    program = dxir.lower(function)
    assert composite_name("acme.snake") == "acme.snake"
    assert composite_name("softmax") == "dxir.softmax"
    assert 'stablehlo.composite "acme.snake"' in str(program)
    for graph in (program.raise_(), dxir.from_json(dxir.to_json(function))):
        assert [n.op for n in graph["main"].nodes] == ["acme.snake"]
        assert str(lower_module(graph)) == str(program.module)
    assert "acme_snake" in dir(ops)


@pytest.mark.usefixtures("registry")
def test_mistakes_of_an_op_are_told_from_mistakes_of_its_user() -> None:
    declare("acme.one", "assignment")
    message = refusal(GraphError, lambda: Anything.acme_one(X))
    assert "acme.one: `k` cannot be assigned" in message
    assert "self.update(k=...)" in message
    declare("acme.two", "mistake")
    with pytest.raises(AttributeValueError, match="Snake has a mistake: see the KeyError") as error:
        Anything.acme_two(X)
    assert isinstance(error.value.__cause__, KeyError)
    with pytest.raises(AttributeValueError) as other:
        ops.reshape(X, shape=_any(object()))
    assert other.value.hint is None
