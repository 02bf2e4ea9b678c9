"""What the fingerprint of a module sees, and what it does not."""

# ruff: noqa: E501  (MLIR text)

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dxir.loading import load
from dxir.program import Program


def parse(text: str) -> Program:
    return load(text, allow_unregistered=True)


def fingerprint(text: str) -> str:
    return parse(text).fingerprint()


BASE = """
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<4xf32>
  %1 = stablehlo.exponential %b : tensor<4xf32>
  %2 = func.call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.composite "my.g" %1 {composite_attributes = {k = 1 : i32}, decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.subtract %2, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def functions_of(text: str) -> list[str]:
    return ["func.func" + part for part in text.split("func.func") if part.strip()]


def test_it_is_64_hexadecimal_digits_and_the_same_every_time() -> None:
    first = fingerprint(BASE)
    assert len(bytes.fromhex(first)) == 32
    assert fingerprint(BASE) == first


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("%a", "%left").replace("%0", "%zero"),
        lambda t: t.replace("@f", "@other").replace("@g", "@f").replace("@main", "@entry"),
        lambda t: "".join(reversed(functions_of(t))),
        lambda t: t.replace(
            "%0 = stablehlo.tanh %x : tensor<4xf32>",
            '%0 = stablehlo.tanh %x : tensor<4xf32> loc("name"("u.py":1:2))',
        ),
        lambda t: t.replace(
            "  %0 = stablehlo.add %a, %c : tensor<4xf32>\n  %1 = stablehlo.exponential %b : tensor<4xf32>\n",
            "  %1 = stablehlo.exponential %b : tensor<4xf32>\n  %0 = stablehlo.add %a, %c : tensor<4xf32>\n",
        ),
        lambda t: t.replace("decomposition = @g}", "decomposition = @g, version = 0 : i32}"),
        lambda t: "module @renamed {" + t + "}",
    ],
    ids=["values", "symbols", "function order", "locations", "op order", "default", "module name"],
)
def test_it_does_not_see_names_order_or_spelled_out_defaults(change) -> None:
    changed = change(BASE)
    assert changed != BASE
    assert fingerprint(changed) == fingerprint(BASE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dense<[1.0, 2.0, 3.0, 4.0]>", "dense<[1.0, 2.0, 3.0, 4.1]>"),
        ("stablehlo.tanh", "stablehlo.logistic"),
        ("add %a, %c", "add %c, %a"),
        ("add %a, %c", "add %b, %c"),
        ("k = 1", "k = 2"),
        ("my.g", "my.h"),
        ("decomposition = @g", "decomposition = @f"),
        ("stablehlo.negate %x", "stablehlo.abs %x"),
        ("private @f", "@f"),
        ("call @f", "call @g"),
        ("tensor<4xf32>", "tensor<4xf64>"),
        ("tensor<4xf32>", "tensor<?xf32>") if False else ("subtract %2, %3", "subtract %3, %2"),
        ("%4 = stablehlo.subtract %2", "%unused = stablehlo.abs %b : tensor<4xf32>\n%4 = stablehlo.subtract %2"),
        ("-> tensor<4xf32> {\n  %c", '-> tensor<4xf32> attributes {x = "y"} {\n  %c'),
        ("(%a: tensor<4xf32>,", '(%a: tensor<4xf32> {jax.buffer_donor = true},'),
        ("tanh %x :", "tanh %x {note = 1 : i32} :"),
    ],
)  # fmt: skip
def test_it_sees_every_op_attribute_constant_operand_and_visibility(old: str, new: str) -> None:
    assert old in BASE
    assert fingerprint(BASE.replace(old, new)) != fingerprint(BASE)


def test_it_sees_how_often_an_equal_op_is_there_and_how_often_each_is_used() -> None:
    def program(ops: str, left: str, right: str) -> str:
        return f"""func.func @main(%a: tensor<f32>) -> tensor<f32> {{
          {ops}
          %r = stablehlo.add {left}, {right} : tensor<f32>
          return %r : tensor<f32>
        }}"""

    one = "%x = stablehlo.exponential %a : tensor<f32>"
    two = one + "\n%y = stablehlo.exponential %a : tensor<f32>"
    found = {
        fingerprint(program(one, "%x", "%x")),
        fingerprint(program(two, "%x", "%x")),
        fingerprint(program(two, "%x", "%y")),
    }
    assert len(found) == 3
    assert fingerprint(program(two, "%y", "%x")) == fingerprint(program(two, "%x", "%y"))


def test_it_sees_the_order_of_side_effects_but_not_of_pure_ops_around_them() -> None:
    def program(*lines: str) -> str:
        return (
            "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
            + "\n".join(lines)
            + "\nreturn %a : tensor<f32>\n}"
        )

    one = "stablehlo.custom_call @one(%a) {has_side_effect = true} : (tensor<f32>) -> ()"
    two = "stablehlo.custom_call @two(%a) {has_side_effect = true} : (tensor<f32>) -> ()"
    pure = "%p = stablehlo.abs %a : tensor<f32>"
    assert fingerprint(program(one, two)) != fingerprint(program(two, one))
    assert fingerprint(program(one, pure, two)) == fingerprint(program(pure, one, two))


def test_the_order_of_calls_with_side_effects_counts_through_functions() -> None:
    def program(first: str, second: str) -> str:
        return f"""
        func.func @main(%a: tensor<f32>) -> tensor<f32> {{
          %0 = call @{first}(%a) : (tensor<f32>) -> tensor<f32>
          %1 = call @{second}(%a) : (tensor<f32>) -> tensor<f32>
          return %a : tensor<f32>
        }}
        func.func private @loud(%a: tensor<f32>) -> tensor<f32> {{
          stablehlo.custom_call @one(%a) {{has_side_effect = true}} : (tensor<f32>) -> ()
          return %a : tensor<f32>
        }}
        func.func private @louder(%a: tensor<f32>) -> tensor<f32> {{
          stablehlo.custom_call @two(%a) {{has_side_effect = true}} : (tensor<f32>) -> ()
          return %a : tensor<f32>
        }}"""

    assert fingerprint(program("loud", "louder")) != fingerprint(program("louder", "loud"))


CONSTANTS = {
    "f32": ("1.0", "2.0"),
    "f64": ("1.0", "1.0000000000000002"),
    "bf16": ("1.0", "2.0"),
    "f16": ("-0.0", "0.0"),
    "f8E4M3FN": ("1.0", "2.0"),
    "i1": ("true", "false"),
    "i4": ("1", "2"),
    "ui8": ("1", "2"),
    "i64": ("1", "2"),
    "complex<f32>": ("(1.0, 2.0)", "(1.0, 3.0)"),
}


@pytest.mark.parametrize("element", CONSTANTS)
@pytest.mark.parametrize("size", [2, 200])
def test_it_sees_the_data_of_constants_of_every_element_type(element: str, size: int) -> None:
    one, other = CONSTANTS[element]

    def program(last: str) -> str:
        values = ", ".join([one] * (size - 1) + [last])
        type = f"tensor<{size}x{element}>"
        return f"""func.func @main() -> {type} {{
          %0 = stablehlo.constant dense<[{values}]> : {type}
          return %0 : {type}
        }}"""

    splat = program(one).replace("dense<[" + ", ".join([one] * size) + "]>", f"dense<{one}>")
    assert fingerprint(program(one)) != fingerprint(program(other))
    assert fingerprint(program(one)) == fingerprint(splat)


def test_shape_and_type_of_equal_bytes_are_told_apart() -> None:
    def program(type: str) -> str:
        return f"func.func @main() {{ %0 = stablehlo.constant dense<0> : {type}\nreturn }}"

    types = ["tensor<200xi32>", "tensor<100x2xi32>", "tensor<200xui32>", "tensor<100xi64>"]
    assert len({fingerprint(program(type)) for type in types}) == len(types)


MESH = """
sdy.mesh @{name} = <["x"={size}]>
func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@{name}, [{{"x"}}]>}}) -> tensor<4xf32> {{
  return %a : tensor<4xf32>
}}
"""


def test_a_mesh_counts_by_what_it_is_and_not_by_its_name() -> None:
    base = fingerprint(MESH.format(name="mesh", size=2))
    assert fingerprint(MESH.format(name="other", size=2)) == base
    assert fingerprint(MESH.format(name="mesh", size=4)) != base


REGION = """
func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %a) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<9> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %a : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LT", "LE"),
        ("add %i, %a", "add %i, %i"),
        ("add %i, %a", "add %a, %i"),
        ("dense<9>", "dense<8>"),
    ],
)
def test_it_sees_what_is_in_a_region_and_what_the_region_captures(old: str, new: str) -> None:
    assert fingerprint(REGION.replace(old, new)) != fingerprint(REGION)
    assert fingerprint(REGION.replace("%1", "%one").replace("%i", "%it")) == fingerprint(REGION)


def test_branches_between_blocks_are_told_apart() -> None:
    text = """func.func @main(%p: i1) -> i32 {
      %a = arith.constant 1 : i32
      %b = arith.constant 2 : i32
      cf.cond_br %p, ^one(%a : i32), ^two(%b : i32)
    ^one(%x: i32):
      return %x : i32
    ^two(%y: i32):
      return %y : i32
    }"""
    swapped = text.replace("^one(%a : i32), ^two(%b : i32)", "^two(%a : i32), ^one(%b : i32)")
    assert fingerprint(swapped) != fingerprint(text)


def test_recursive_functions_have_a_fingerprint() -> None:
    text = """func.func @main(%a: tensor<f32>) -> tensor<f32> {
      %0 = call @main(%a) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    assert fingerprint(text) == fingerprint(text.replace("@main", "@self"))


def test_an_artifact_round_trip_keeps_the_fingerprint() -> None:
    program = parse(BASE)
    assert load(program.serialize(), trusted=True).fingerprint() == program.fingerprint()
    assert load(program.bytecode(), trusted=True).fingerprint() == program.fingerprint()


DEFAULTS = """
func.func @main(%x: tensor<1x4x4x2xf32>, %k: tensor<3x3x2x5xf32>, %i: tensor<2x1xi32>, %v: tensor<4x2xf32>, %u: tensor<2x2xf32>, %z: tensor<f32>) -> tensor<1x2x2x5xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {ATTRS0} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x2x5xf32>
  %1 = "stablehlo.gather"(%v, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>ATTRS1}> : (tensor<4x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  %2 = "stablehlo.sort"(%v) <{ATTRS2}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = "stablehlo.compare"(%p, %q) <{comparison_direction = #stablehlo<comparison_direction LT>ATTRS3}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = "stablehlo.custom_call"(%v) <{call_target_name = "f"ATTRS4}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2, 1>ATTRS5}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %5 = "stablehlo.exponential"(%v) <{ATTRS6}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %6 = "stablehlo.dot"(%v, %u) <{ATTRS7}> : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<1x2x2x5xf32>
}
"""
SPELLED = [
    "stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]",
    ", indices_are_sorted = false",
    "dimension = -1 : i64, is_stable = false",
    ", compare_type = #stablehlo<comparison_type NOTYPE>",
    ', has_side_effect = false, backend_config = "", api_version = 1 : i32, called_computations = []',
    ", window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>",
    "result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
    "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]",
]  # fmt: skip


def test_an_attribute_that_spells_out_its_default_counts_as_absent() -> None:
    absent, spelled = DEFAULTS, DEFAULTS
    for number, text in enumerate(SPELLED):
        absent = absent.replace(f"ATTRS{number}", "")
        spelled = spelled.replace(f"ATTRS{number}", text)
    assert fingerprint(absent) == fingerprint(spelled)
    # Serializing spells every default out.
    assert load(parse(absent).serialize(), trusted=True).fingerprint() == fingerprint(absent)


def shuffled_program(seed: int, shuffle: bool) -> str:
    """A random program of pure ops, its lines in another order that defines before it uses."""
    rng = random.Random(seed)
    names, lines = ["%a", "%b"], []
    for index in range(12):
        op = rng.choice(["add", "multiply", "maximum"])
        left, right = rng.choice(names), rng.choice(names)
        lines.append((f"%v{index}", left, right, op))
        names.append(f"%v{index}")
    order = list(range(len(lines)))
    if shuffle:
        done, left_over, order = {"%a", "%b"}, list(range(len(lines))), []
        while left_over:
            ready = [i for i in left_over if {lines[i][1], lines[i][2]} <= done]
            pick = ready[-1]
            order.append(pick)
            left_over.remove(pick)
            done.add(lines[pick][0])
    body = "\n".join(
        f"{n} = stablehlo.{op} {x}, {y} : tensor<f32>" for n, x, y, op in (lines[i] for i in order)
    )
    return f"func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{\n{body}\nreturn %v11 : tensor<f32>\n}}"


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_any_order_of_pure_ops_that_respects_their_operands_is_the_same(seed: int) -> None:
    assert fingerprint(shuffled_program(seed, False)) == fingerprint(shuffled_program(seed, True))


def test_nested_regions_deeper_than_pythons_stack_are_hashed() -> None:
    depth = 450
    text = "func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n"
    for level in range(depth):
        text += f'%x{level} = "stablehlo.if"(%p) ({{\n'
    text += "stablehlo.return %a : tensor<f32>\n"
    for level in reversed(range(depth)):
        text += "}, { stablehlo.return %a : tensor<f32> }) : (tensor<i1>) -> tensor<f32>\n"
        text += f"{'stablehlo.return' if level else 'return'} %x{level} : tensor<f32>\n"
    program = load(text + "}")
    assert len(program.fingerprint()) == 64


def test_a_function_may_end_in_either_return_b29() -> None:
    assert fingerprint(BASE.replace("  return", "  stablehlo.return")) == fingerprint(BASE)


@pytest.mark.parametrize("kind", ["bf16", "i4", "f8E4M3FN", "f32", "complex<f32>"])
def test_a_huge_splat_is_hashed_by_its_element(kind: str) -> None:
    def huge(value: str) -> str:
        number = value.removesuffix(".0") if kind == "i4" else value
        number = f"({value}, 0.0)" if kind == "complex<f32>" else number
        type = f"tensor<1099511627776x{kind}>"
        return (
            f"func.func @main() -> {type} {{\n  %c = stablehlo.constant dense<{number}> : {type}\n"
            f"  return %c : {type}\n}}"
        )

    one = load(huge("1.0")).fingerprint()
    assert one == load(huge("1.0")).fingerprint() != load(huge("2.0")).fingerprint()


@pytest.mark.parametrize("name", ['@"my fn"', r'@"a\22b"', r'@"m\C3\A9"', '@"mé"'])
def test_it_does_not_see_names_in_quotes(name: str) -> None:
    assert fingerprint(BASE.replace("@f", name).replace("@g", '@"other fn"')) == fingerprint(BASE)


def test_it_sees_the_data_of_a_resource_with_a_name_in_quotes() -> None:
    text = """
    func.func @main() -> tensor<2xf32> {
      %0 = stablehlo.constant dense_resource<NAME> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    {-# dialect_resources: { builtin: { NAME: "0x040000000000803F0000DATA" } } #-}"""
    plain = text.replace("NAME", "w").replace("DATA", "0040")
    for name in ('"w x"', r'"a\22b"', r'"w\C3\A9"'):
        assert fingerprint(text.replace("NAME", name).replace("DATA", "0040")) == fingerprint(plain)
        assert fingerprint(text.replace("NAME", name).replace("DATA", "4040")) != fingerprint(plain)
