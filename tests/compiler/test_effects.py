"""What ops do besides computing results."""

import pytest

import dxir
from dxir.effects import (
    callees,
    effectful_functions,
    erase_unreferenced,
    has_effect,
    is_reviewed,
    kind_of,
    mentioned,
)
from dxir.mlir import IrOperation
from dxir.operations import operations
from dxir.reading import walk


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("stablehlo.add", "pure"), ("stablehlo.while", "pure"), ("stablehlo.return", "end"),
        ("stablehlo.rng_bit_generator", "pure"), ("stablehlo.rng", "effect"),
        ("stablehlo.all_reduce", "effect"), ("stablehlo.composite", "call"),
        ("sdy.reshard", "pure"), ("sdy.sharding_constraint", "effect"), ("chlo.erf", "pure"),
        ("shape.cstr_eq", "effect"), ("tensor.yield", "end"), ("memref.load", "effect"),
        ("mhlo.add", "effect"), ("acme.add", "effect"), ("func.call_indirect", "effect"),
        ("stablehlo.newer", "effect"), ("chlo.newer", "effect"), ("sdy.newer", "effect"),
    ],
)  # fmt: skip
def test_what_is_known_of_an_op_by_its_name(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_functions_have_the_effects_of_what_they_call() -> None:
    one = "(%x: tensor<f32>) -> tensor<f32>"
    call = "{{ %0 = call @{} (%x) : (tensor<f32>) -> tensor<f32> return %0 : tensor<f32> }}"
    program = dxir.load(
        "\n".join(
            [
                f"func.func private @pure{one} {{ return %x : tensor<f32> }}",
                f"func.func private @calls_pure{one} {call.format('pure')}",
                f"func.func private @circle{one} {call.format('circle')}",
                "func.func private @outside(tensor<f32>) -> tensor<f32>",
                f"func.func private @calls_outside{one} {call.format('outside')}",
                f"""func.func private @tells{one} {{
                  %0 = stablehlo.custom_call @acme.tell(%x) {{has_side_effect = true}}
                    : (tensor<f32>) -> tensor<f32>
                  return %0 : tensor<f32> }}""",
                f"""func.func @composite{one} {{
                  %0 = stablehlo.composite "acme.f" %x {{decomposition = @tells}}
                    : (tensor<f32>) -> tensor<f32>
                  %1 = stablehlo.custom_call @acme.f(%0) : (tensor<f32>) -> tensor<f32>
                  return %1 : tensor<f32> }}""",
            ]
        )
    )
    effectful = effectful_functions(program.module)
    assert [name for name in program.function_names if name not in effectful] == [
        "pure", "calls_pure", "circle",
    ]  # fmt: skip
    assert "not in the module" in effectful
    with_effect: list[str] = []

    def visit(op: IrOperation) -> None:
        if op.name.startswith("stablehlo.") and has_effect(op, effectful):
            with_effect.append(op.name)

    walk(program.module, visit)
    assert with_effect == ["stablehlo.custom_call", "stablehlo.composite"]


def test_symbols_in_any_attribute_are_found_and_those_in_text_are_not() -> None:
    program = dxir.load(
        """func.func @main(%x: tensor<f32>) -> tensor<f32> {
          %0 = stablehlo.negate %x {acme.a = @f, acme.b = [{c = @g}], acme.d = "@h"} : tensor<f32>
          return %0 : tensor<f32>
        }"""
    )
    found: list[set[str]] = []
    walk(
        program.module,
        lambda op: found.append(mentioned(op, {})) if op.name == "stablehlo.negate" else None,
    )
    assert found == [{"f", "g"}]


QUOTED = """
func.func private {name}(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = "acme.call"(%x) {{to = [{name}]}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""


@pytest.mark.parametrize(
    ("written", "name"),
    [('@"my fn"', "my fn"), (r'@"a\22b"', 'a"b'), (r'@"m\C3\A9 fn"', "mé fn"), ("@f", "f")],
)
def test_names_in_quotes_are_seen(written: str, name: str) -> None:
    program = dxir.load(QUOTED.format(name=written), allow_unregistered=True)
    found: list[tuple[list[str], set[str]]] = []
    walk(
        program.module,
        lambda op: (
            found.append((list(callees(op)), mentioned(op, {}))) if op.name == "acme.call" else None
        ),
    )
    assert found == [([name], {name})]


def test_every_op_of_this_jaxlib_was_looked_at() -> None:
    assert [name for name in operations() if not is_reviewed(name)] == []


def test_a_function_goes_when_nothing_that_stays_names_it() -> None:
    program = dxir.load(
        """
        func.func @main() attributes {acme.uses = [@a]} { return }
        func.func private @a() attributes {acme.uses = {deep = [@b, "@f"]}} { return }
        func.func private @b() { return }
        func.func private @c() { func.call @d() : () -> () return }
        func.func private @d() { func.call @c() : () -> () return }
        func.func private @e() { return }
        func.func private @f() { return }
        """
    )
    assert erase_unreferenced(program.module, "abcdf") == ["c", "d", "f"]
    assert program.verify().function_names == ("main", "a", "b", "e")
    assert erase_unreferenced(program.module, "abcdf") == []
