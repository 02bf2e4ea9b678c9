"""Rules: what they take, when they count, and what they say when they nearly do."""

from __future__ import annotations

from typing import Any

import pytest

import dxir
from dxir import ops
from dxir.errors import PassError
from dxir.pattern import Either, Elementwise, Match, Number, Pattern, Product, Rule, Total, Var
from dxir.pattern.registry import all_rules, register_rule, rules_of

TANH = Elementwise(("stablehlo.tanh",), Var("x"))
SINE = Elementwise(("stablehlo.sine",), Var("y"))
SUM = Total(TANH, SINE)


def program(make: Any) -> dxir.Program:
    builder = dxir.Builder("main")
    x, y = builder.param(dxir.f32[4], name="x"), builder.param(dxir.bf16[4], name="y")
    return dxir.lower(builder.build(make(x, ops.convert(y, dtype=dxir.f32))))


def plain() -> dxir.Program:
    return program(lambda x, y: ops.tanh(x) + ops.sin(y))


def test_a_pattern_without_any_op_is_refused() -> None:
    for pattern in (Var("x"), Number(1.0), Either(TANH, Var("x"))):
        with pytest.raises(dxir.DxirError, match="may consist of no op") as error:
            Rule("any", (pattern,), operands=("x",))
        assert "every alternative needs an op" in str(error.value)


def test_the_composite_is_named_after_the_rule_unless_another_name_is_given() -> None:
    assert Rule("both", (SUM,), operands=("x", "y")).composite == "dxir.both"
    assert Rule("both", (SUM,), operands=("x", "y"), composite="acme.both").composite == "acme.both"


def test_operands_are_the_names_that_find_binds() -> None:
    with pytest.raises(dxir.DxirError) as error:
        Rule("both", SUM, operands=("x", "y", "z"))
    assert error.value.message == ("the rule both has 'z' in operands, which find does not bind")
    assert "find binds 'x' and 'y'" in (error.value.hint or "")
    with pytest.raises(dxir.DxirError) as error:
        Rule("both", SUM, operands=("x",))
    assert error.value.message == "the rule both binds 'y' in find, but not in operands"
    assert "add the name" in (error.value.hint or "")


def test_a_pattern_of_another_class_says_what_it_binds(look: Any) -> None:
    class Argument(Var):
        """A value that nothing computes."""

    class Silent(Argument):
        """One that does not say its name."""

        def __init__(self, name: str) -> None:
            super().__init__(name)
            self.binds = frozenset()

    tanh = Elementwise(("stablehlo.tanh",), Argument("x"))
    assert look(plain(), Rule("it", tanh, operands=("x",))).names == ["it"]
    with pytest.raises(dxir.DxirError, match="which find does not bind") as error:
        Rule("it", Elementwise(("stablehlo.tanh",), Silent("x")), operands=("x",))
    assert "says in `binds` which names it does" in (error.value.hint or "")


def test_one_pattern_is_found_as_a_tuple_of_one_is(look: Any) -> None:
    rule = Rule("both", SUM, operands=("x", "y"))
    assert rule.find == (SUM,)
    assert look(plain(), rule).names == ["both"]


@pytest.mark.parametrize(
    ("find", "said"), [((), "has nothing to find"), (("x",), "has 'x' to find")]
)
def test_what_is_no_pattern_is_refused(find: Any, said: str) -> None:
    with pytest.raises(dxir.DxirError, match=f"the rule it {said}"):
        Rule("it", find, operands=())


def boom(_: Match) -> Any:
    raise KeyError("boom")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"where": lambda _: True}, "its where gave True, not a reason or None"),
        ({"where": lambda _: False}, "its where gave False, not a reason or None"),
        ({"where": lambda _: 3}, "its where gave 3, not a reason or None"),
        ({"where": boom}, "its where raised KeyError: 'boom'"),
        (
            {"where": lambda m: m.value("z")},
            "its where raised: the pattern tanh_too has no value 'z' here",
        ),
        ({"attributes": boom}, "its attributes raised KeyError: 'boom'"),
        (
            {"attributes": lambda m: {"z": m.shape("z")}},
            "its attributes raised: the pattern tanh_too has no value 'z' here",
        ),
        (
            {"attributes": lambda m: {"a": 1, "n": m.number("n")}},
            "its attributes gave None for 'n'",
        ),
        ({"attributes": lambda _: 3}, "its attributes gave 3, not a dictionary"),
    ],
)
def test_functions_of_a_rule_that_fail_are_named_at_the_place_of_the_op(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], said: str
) -> None:
    from dxir.pattern import registry

    monkeypatch.setattr(registry, "_registered", {})
    register_rule(Rule("tanh_too", TANH, operands=("x",), **given))
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    with pytest.raises(PassError) as error:
        dxir.load(text).run_passes("dxir-recognize{patterns=tanh_too}")
    assert error.value.message == f"dxir-recognize: the rule tanh_too: {said}"
    assert error.value.hint
    assert "mistake in the pass" not in error.value.hint
    assert (error.value.where or "").endswith(":3:12")


def test_the_first_pattern_that_fits_counts(look: Any) -> None:
    rule = Rule("either", (SUM, TANH), operands=("x", "y"))
    found = look(plain(), rule)
    assert found.names == ["either"]
    assert len(found.chosen[0].ops) == 3
    alone = look(program(lambda x, _y: ops.tanh(x)), rule)
    assert len(alone.chosen[0].ops) == 1


def test_operands_are_those_that_there_are_in_the_order_of_the_rule(look: Any) -> None:
    other = Elementwise(("stablehlo.cosine",), Var("none"))
    rule = Rule("both", (SUM, other), operands=("y", "none", "x"))
    (found,) = look(plain(), rule).chosen
    assert [str(v.type) for v in found.operands] == ["tensor<4xf32>", "tensor<4xf32>"]
    assert [v.owner.operation.name == "stablehlo.convert" for v in found.operands[:1]] == [True]


def test_a_match_that_the_guard_refuses_does_not_count_and_says_why(look: Any) -> None:
    rule = Rule("both", (SUM,), operands=("x", "y"), where=lambda _: "it is Tuesday")
    found = look(plain(), rule, near=True)
    assert (found.names, found.misses) == ([], ["it is Tuesday"])


def test_the_guard_is_asked_again_for_another_way_to_match(look: Any) -> None:
    def where(match: Match) -> str | None:
        return None if "tanh" in match.value("a").owner.operation.name else "a is not the tanh"

    rule = Rule("swapped", (Product(Var("a"), Var("b")),), operands=("a", "b"), where=where)
    for make in (lambda x, y: ops.tanh(x) * y, lambda x, y: ops.abs(y) * ops.tanh(x)):
        assert look(program(make), rule).names == ["swapped"]


def test_what_a_match_says_of_its_values(look: Any) -> None:
    said: dict[str, object] = {}

    def where(match: Match) -> str | None:
        said.update(
            x=match.has("x"), z=match.has("z"), shape=match.shape("x"), element=match.element("y"),
            number=match.number("n"), text=match.text("t"), same=match.access("x") == match.result,
        )  # fmt: skip
        return None

    look(plain(), Rule("both", (SUM,), operands=("x", "y"), where=where))
    assert said == {
        "x": True, "z": False, "shape": [4], "element": "f32", "number": None, "text": "",
        "same": True,
    }  # fmt: skip
    rule = Rule("both", (SUM,), operands=("x", "y"), where=lambda m: str(m.value("z")))
    with pytest.raises(dxir.DxirError, match="the pattern both has no value 'z' here"):
        look(plain(), rule)


NEARLY = {
    "a constant": (
        Product(TANH, Number(2.0)),
        lambda x, _y: ops.tanh(x) * 3.0,
        "a constant is 3, not 2",
    ),
    "another op": (
        Product(TANH, Total(SINE, Number(1.0))),
        lambda x, y: ops.tanh(x) * (ops.cos(y) + ops.sin(y)),
        "",
    ),
    "another value": (
        Product(TANH, Total(Elementwise(("stablehlo.sine",), Var("x")), Number(1.0))),
        lambda x, y: ops.tanh(x) * (ops.sin(y) + 1.0),
        "x is not one and the same value everywhere",
    ),
    "a number": (
        Product(TANH, Total(SINE, Number(1.0))),
        lambda x, y: ops.tanh(x) * (ops.sin(y) + ops.abs(y)),
        "the number 1 should stand where another value does",
    ),
}  # fmt: skip


def _parts(pattern: Pattern) -> list[Pattern]:
    return [pattern, *(below for part in pattern.within() for below in _parts(part))]


@pytest.mark.parametrize("what", NEARLY)
def test_a_near_miss_says_what_stands_in_the_way(look: Any, what: str) -> None:
    pattern, make, reason = NEARLY[what]
    rule = Rule("nearly", (pattern,), operands=("x", "y") if SINE in _parts(pattern) else ("x",))
    found = look(program(make), rule, near=True)
    assert found.names == []
    assert any(reason in told for told in found.misses), found.misses


def test_what_is_far_from_a_pattern_is_not_told(look: Any) -> None:
    pattern = Product(TANH, Total(SINE, Number(1.0)))
    rule = Rule("far", (pattern,), operands=("x", "y"))
    assert look(program(lambda x, _y: ops.tanh(x) * x), rule, near=True).misses == []
    assert look(program(lambda x, y: ops.cos(x) * y), rule, near=True).misses == []


def test_rules_are_chosen_by_name_and_a_wrong_name_is_told_with_the_nearest() -> None:
    assert {rule.name for rule in rules_of(("softmax", "gelu"))} == {"softmax", "gelu"}
    assert "gelu" not in {rule.name for rule in rules_of((), ("gelu",))}
    with pytest.raises(PassError, match="there is no pattern 'sofmax'") as error:
        rules_of(("sofmax",))
    assert "softmax" in str(error.value)


def test_a_rule_of_ones_own_is_looked_for_once_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dxir.pattern import registry

    monkeypatch.setattr(registry, "_registered", {})
    rule = register_rule(Rule("tanh_and_sine", (SUM,), operands=("x", "y"), composite="acme.sum"))
    assert all_rules()["tanh_and_sine"] == [rule]
    coarse = plain().run_passes("dxir-recognize{patterns=tanh_and_sine},dxir-coarsen")
    assert '"acme.sum"' in coarse.text()
