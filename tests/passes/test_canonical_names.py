"""Canonical names: one text for one program, whoever named its parts."""

import numpy as np
import pytest

import dxir

TEMPLATE = """
module @{module} {{
  {first}
  sdy.mesh @{mesh} = <["x"=1]>
  func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@{mesh}, [{{"x"}}]>}})
      -> tensor<4xf32> {{
    %0 = stablehlo.composite "acme.twice" %a {{decomposition = @{twice}}}
      : (tensor<4xf32>) -> tensor<4xf32>
    %1 = func.call @{square}(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @kernel(%1) {{called_computations = [@{inner}]}}
      : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }}
  {last}
}}
"""


def function(name: str, body: str) -> str:
    return (
        f"func.func private @{name}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n"
        f"    {body}\n    return %y : tensor<4xf32>\n  }}\n  "
    )


def module(
    module: str, mesh: str, twice: str, square: str, inner: str, *, functions_first: bool = False
) -> str:
    parts = function(twice, "%y = stablehlo.add %x, %x : tensor<4xf32>")
    parts += function(
        square,
        f"%z = func.call @{inner}(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
        "    %y = stablehlo.multiply %z, %z : tensor<4xf32>",
    )
    parts += function(inner, "%y = stablehlo.negate %x : tensor<4xf32>")
    first, last = (parts, "") if functions_first else ("", parts)
    return TEMPLATE.format(
        module=module, mesh=mesh, twice=twice, square=square, inner=inner, first=first, last=last
    )


def canonical(text: str, options: str = "") -> dxir.Program:
    """The renamed program, which a second run leaves as it is."""
    pipeline = f"dxir-canonical-names{{{options}}}"
    given = dxir.load(text)
    program = given.run_passes(pipeline)
    program.clone().verify()
    again = program.run_passes(pipeline)
    assert again.text(debug_info=True) == program.text(debug_info=True)
    return program


ONE = module("jit_f", "mesh", "twice.impl", "_square", "inner")
OTHER = module("main", "devices", "function_0", "mesh_0", "decomposition_0", functions_first=True)


def test_differently_named_programs_come_to_one_text() -> None:
    assert str(dxir.load(ONE)) != str(dxir.load(OTHER))
    assert str(canonical(ONE)) == str(canonical(OTHER))


@pytest.mark.parametrize("text", [ONE, OTHER])
def test_the_fingerprint_stays(text: str) -> None:
    assert canonical(text).fingerprint() == dxir.load(text).fingerprint()


def test_names_say_the_role_and_the_order() -> None:
    program = canonical(ONE)
    assert program.function_names == ("main", "decomposition_0", "function_0", "function_1")
    assert '"acme.twice"' in str(program)
    assert "called_computations = [@function_1]" in str(program)
    assert 'sdy.mesh @mesh_0 = <["x"=1]>' in str(program)
    assert "#sdy.sharding<@mesh_0" in str(program)


def test_names_that_are_swapped_end_up_right() -> None:
    text = module("m", "mesh_0", "function_1", "decomposition_0", "function_0")
    assert str(canonical(text)) == str(canonical(ONE))


def test_values_stay() -> None:
    text = ONE.replace(
        "stablehlo.custom_call @kernel(%1) {called_computations = [@inner]}", "func.call @inner(%1)"
    )
    x = np.array([np.nan, -0.0, np.inf, 1e-40], np.float32)
    before = np.asarray(dxir.compile(dxir.load(text))(x))
    after = np.asarray(dxir.compile(canonical(text))(x))
    assert before.tobytes() == after.tobytes()


def test_public_and_external_names_stay_and_are_not_given_away() -> None:
    text = """
func.func private @function_0(%x: tensor<f32>) -> tensor<f32>
func.func @function_1(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @b(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @function_0(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @b(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
"""
    assert canonical(text).function_names == ("function_1", "function_2", "function_0")


def test_names_are_kept_on_request() -> None:
    program = canonical(ONE, "keep=inner,mesh prefix=acme. module-name=keep")
    assert program.function_names == ("main", "acme.decomposition_0", "acme.function_0", "inner")
    assert str(program).startswith("module @jit_f {\n  sdy.mesh @mesh =")


def test_names_that_need_quotes_are_replaced_everywhere() -> None:
    name = 'a \\"b\\" c'
    text = module("m", "mesh", f'"{name}"', "_square", "inner")
    assert str(canonical(text)) == str(canonical(ONE))


def test_public_functions_are_sorted_and_unused_ones_come_last() -> None:
    names = ("zeta", "main", "alpha")
    body = "(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
    text = "".join(f"func.func @{n}{body}" for n in names)
    text = f"func.func private @gone{body}" + text
    assert canonical(text).function_names == ("main", "alpha", "zeta", "unused_0")


def test_locations_and_names_of_parameters_go_on_request() -> None:
    text = """
module @m {
  func.func @main(%x: tensor<f32> {jax.arg_info = "x", jax.buffer_donor = true})
      -> (tensor<f32> {jax.result_info = "y"}) {
    return %x : tensor<f32> loc("here":3:4)
  }
}
"""
    kept = canonical(text).text(debug_info=True)
    assert "here" in kept
    assert "jax.arg_info" in kept
    gone = canonical(text, "locations=drop io-names=drop").text(debug_info=True)
    assert "here" not in gone
    assert "info" not in gone
    assert "jax.buffer_donor" in gone
    assert "<text>" not in gone


def test_functions_of_nested_modules_are_their_own() -> None:
    text = """
module {
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @f(%x: tensor<f32>) -> tensor<f32> {
    return %x : tensor<f32>
  }
  module @inner {
    func.func @g(%x: tensor<f32>) -> tensor<f32> {
      %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    func.func private @f(%x: tensor<f32>) -> tensor<f32> {
      return %x : tensor<f32>
    }
  }
}
"""
    found = str(canonical(text))
    assert found.count("@function_0") == 2
    assert found.count("call @f(") == 1


def test_many_names_do_not_take_a_walk_each() -> None:
    count = 2000
    calls = "\n".join(
        f"  %{i + 1} = func.call @g{i}(%{i}) : (tensor<f32>) -> tensor<f32>" for i in range(count)
    )
    functions = "\n".join(
        f"func.func private @g{i}(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}"
        for i in reversed(range(count))
    )
    text = (
        f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{calls}\n"
        f"  return %{count} : tensor<f32>\n}}\n{functions}"
    )
    names = canonical(text).function_names
    assert names == ("main", *(f"function_{i}" for i in range(count)))


def test_a_name_to_keep_must_be_there() -> None:
    with pytest.raises(dxir.DxirError, match="there is no function or mesh @iner"):
        dxir.load(ONE).run_passes("dxir-canonical-names{keep=iner}")


@pytest.mark.parametrize("name", ['@"mé sh"', r'@"a\22b"', r'@"a\\22b"', '@"my mesh"'])
def test_a_mesh_with_a_name_in_quotes_is_renamed_where_it_is_used(name: str) -> None:
    text = f"""
    sdy.mesh {name} = <["x"=2]>
    func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<{name}, [{{"x"}}]>}})
        -> tensor<4xf32> {{
      return %a : tensor<4xf32>
    }}"""
    program = canonical(text)
    assert 'sdy.mesh @mesh_0 = <["x"=2]>' in str(program)
    assert '#sdy.sharding<@mesh_0, [{"x"}]>' in str(program)
