"""Which rule a node goes by: one answer for engines, checks, messages and the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dxir
from dxir import f64, ops
from dxir.derivatives import Undefined
from dxir.errors import TransformError
from dxir.graph import Function, building
from dxir.op import REGISTRY
from dxir.transforms import jvp_function, vjp_function, vmap_function
from dxir.transforms.registry import _RULES, Rules, enter
from dxir.transforms.rules import By, Mode, refusal, resolve

TRANSFORMS: dict[Mode, Callable[[Function], Function]] = {
    Mode.REVERSE: vjp_function,
    Mode.FORWARD: jvp_function,
    Mode.BATCHING: lambda function: vmap_function(function, axis_size=2),
}


@pytest.fixture
def rules() -> Iterator[Callable[..., None]]:
    names: list[str] = []

    def add(name: str, **given: Any) -> None:
        names.append(name)
        enter(Rules(name, **given))

    yield add
    for name in names:
        del _RULES[name]


def unknown(x: Any) -> Any:
    return ops.custom_call((x,), types=(x.type,), call_target_name="acme.unknown")


def known(x: Any) -> Any:
    body = Function("body", [x.type], public=False)
    with building(body):
        body.seal([ops.sin(body.params[0])])
    return ops.composite("acme.known", (x,), decomposition=body)


def function(body: Callable[[Any], Any]) -> Function:
    made = Function("f", [f64[3]])
    with building(made):
        found = body(made.params[0])
        made.seal(found if isinstance(found, tuple) else (found,))
    return made


def ways(given: Any) -> list[tuple[By, str]]:
    return [(way.by, way.kind) for way in (resolve(given, mode) for mode in Mode)]


def test_a_class_tells_what_its_nodes_go_by() -> None:
    assert ways(REGISTRY["sin"]) == [(By.RULE, "vjp"), (By.RULE, "jvp"), (By.RULE, "batch")]
    assert ways(REGISTRY["transpose"])[1] == (By.RULE, "linear")
    assert ways(REGISTRY["while_loop"])[:2] == [(By.RULE, "pullback"), (By.RULE, "pushforward")]
    assert ways(REGISTRY["floor"])[0] == (By.ZERO, "")
    assert ways(REGISTRY["custom_call"]) == [(By.NAME, "")] * 3


def test_what_is_registered_goes_before_the_class_and_its_decomposition(rules: Any) -> None:
    node = function(known).nodes[0]
    own = [(By.RULE, "pullback"), (By.RULE, "pushforward"), (By.RULE, "batch")]
    assert ways(node) == own
    rules("acme.known", vjp=lambda node, g, y: (g,), jvp=Undefined("nobody knows", "ask"))
    assert ways(node) == [(By.NAME, "vjp"), (By.UNDEFINED, ""), own[2]]
    assert refusal(node, Mode.FORWARD) == Undefined("nobody knows", "ask")


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.rule)
def test_the_check_and_the_engine_say_the_same(mode: Mode, rules: Any) -> None:
    for given, why in ((None, "is not known"), ("other", f"acme.unknown has no {mode.rule} rule")):
        if given is not None:
            other = "batch" if mode is not Mode.BATCHING else "vjp"
            rules("acme.unknown", **{other: lambda *_: None})
        node = function(unknown).nodes[0]
        said = refusal(node, mode)
        assert said is not None
        assert why in said.reason
        with pytest.raises(TransformError, match=why) as caught:
            TRANSFORMS[mode](function(unknown))
        assert caught.value.hint == said.hint is not None


@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.rule)
@pytest.mark.parametrize("body", [unknown, known])
def test_what_nobody_uses_needs_no_rule(mode: Mode, body: Any, rules: Any) -> None:
    none = Undefined("nobody knows")
    rules("acme.known", vjp=none, jvp=none, batch=none)

    def f(x: Any) -> Any:
        ops.exp(body(ops.cos(x)))
        return ops.mul(x, x)

    made = TRANSFORMS[mode](function(f))
    dxir.lower(made).verify()
    assert [n.op for n in made.nodes if n.op in ("custom_call", "composite", "exp")] == []


def test_the_tangent_of_one_result_does_not_need_that_of_another() -> None:
    made = jvp_function(function(lambda x: (ops.sin(x), unknown(x))), outputs=0)
    assert made.result_types == (f64[3],) * 3


@pytest.mark.parametrize("mode", [Mode.FORWARD, Mode.BATCHING], ids=lambda mode: mode.rule)
def test_an_effect_stays_or_is_refused(mode: Mode) -> None:
    def f(x: Any) -> Any:
        ops.custom_call((x,), types=(), call_target_name="acme.log", has_side_effect=True)
        return ops.mul(x, x)

    if mode is Mode.BATCHING:
        with pytest.raises(TransformError, match=r"custom_call @acme\.log: what the target"):
            TRANSFORMS[mode](function(f))
    else:
        assert "custom_call" in [n.op for n in TRANSFORMS[mode](function(f)).nodes]
