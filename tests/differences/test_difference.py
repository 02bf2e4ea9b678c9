"""What is told of two programs that are not the same, and of two that are."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest

import dxir
from dxir.differences import Change, Difference, OpDifference
from dxir.differences.aligning import align, neighbourhoods

CORPUS = Path(__file__).parent.parent / "recognition" / "corpus"

PROGRAM = """func.func @main(%a: tensor<4x5xf32>, %b: tensor<5x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<4x5xf32>, tensor<5x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.tanh %0 : tensor<4x4xf32>
  %2 = call @scale(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @scale(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %0 = stablehlo.multiply %x, %c : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""


def between(a: str, b: str) -> Difference:
    return dxir.difference(dxir.load(a), dxir.load(b))


def changed(old: str, new: str, program: str = PROGRAM) -> Difference:
    assert program.count(old) == 1, old
    return between(program, program.replace(old, new))


def told(op: OpDifference) -> tuple[str, str, list[str]]:
    return op.kind, op.op.name.removeprefix("stablehlo."), [str(c) for c in op.changes]


def ops_of(found: Difference, name: str = "main") -> list[tuple[str, str, list[str]]]:
    function = found.function(name)
    assert function is not None
    return [told(op) for op in function.ops]


def test_other_names_are_the_same_program() -> None:
    found = between(PROGRAM, PROGRAM.replace("%1", "%x1").replace("@scale", "@double"))
    assert found.same
    assert not found
    assert found.spelling == ("names of functions: @scale is @double",)
    assert str(found) == "the same program\n  other: names of functions: @scale is @double"


def test_another_order_and_other_places_are_the_same_program() -> None:
    first, second = PROGRAM.split("func.func private")
    swapped = f"func.func private{second}\n{first}"
    assert between(PROGRAM, swapped).spelling == ("the order of functions",)
    constant = next(line for line in first.splitlines() if "stablehlo.constant" in line) + "\n"
    head, rest = PROGRAM.replace(constant, "", 1).split("{\n", 1)
    found = between(PROGRAM, f"{head}{{\n{constant}{rest}")
    assert found.same
    assert found.spelling == ("the order of ops that do not depend on each other",)
    assert between(PROGRAM, "\n\n" + PROGRAM).spelling == ("locations",)
    assert between(PROGRAM, PROGRAM).spelling == ()


def test_an_attribute_that_differs_is_told_and_nothing_that_follows() -> None:
    found = changed("[1] x [0]", "[1] x [0], precision = [HIGHEST, HIGHEST]")
    assert ops_of(found) == [
        ("changed", "dot_general", ["precision_config the default -> [HIGHEST, HIGHEST]"])
    ]
    assert [f.after for f in found.functions] == ["main"]
    assert (found.op_counts, found.spelling) == ((), ())


def test_a_constant_and_what_a_caller_calls() -> None:
    found = changed("dense<2.0>", "dense<3.0>")
    assert ops_of(found, "scale") == [
        (
            "changed",
            "constant",
            [
                "value dense<2.000000e+00> : tensor<4x4xf32> -> "
                "dense<3.000000e+00> : tensor<4x4xf32>"
            ],
        )
    ]
    caller = found.function("main")
    assert caller is not None
    assert (caller.kind, caller.ops) == ("calls", ())
    assert "~ @main, the same but for what it calls" in str(found)


def test_large_constants_are_told_by_how_they_differ() -> None:
    text = "func.func @main() -> tensor<20xf32> {{\n%0 = stablehlo.constant dense<[{}]> : tensor<20xf32>\nreturn %0 : tensor<20xf32> }}"  # noqa: E501
    a = [float(i) for i in range(20)]
    b = [*a[:5], 7.5, *a[6:19], 19.25]
    found = between(*[text.format(", ".join(map(str, values))) for values in (a, b)])
    assert ops_of(found) == [
        ("changed", "constant", ["value of 20 elements -> 2 others by up to 2.5"])
    ]


def test_constants_that_differ_in_the_sign_of_a_zero_alone() -> None:
    text = "func.func @main() {{ %0 = stablehlo.constant dense<[{}]> : tensor<20xf32> return }}"
    zeros = ["0.0"] * 20
    found = between(text.format(", ".join(zeros)), text.format(", ".join([*zeros[1:], "-0.0"])))
    (op,) = found.functions[0].ops
    assert op.changes[0].after == "the same but for signs of zeros or bits of NaNs"


def test_what_has_very_many_parts_is_told_by_the_first_of_them() -> None:
    text = "func.func @main(%x: tensor<f32>) {{ %0:5000 = stablehlo.custom_call @{}(%x) : "
    text += f"(tensor<f32>) -> ({', '.join(['tensor<f32>'] * 5000)}) return }}}}"
    (op,) = between(text.format("f"), text.format("g")).functions[0].ops
    assert "%0#15, ... (5,000) = " in op.op.text
    assert len(op.op.text) < 1000
    text = "func.func @main({}) {{ return }}"
    many = ", ".join(f"%{i}: tensor<f32>" for i in range(5000))
    lines = str(between(text.format(many), text.format(""))).splitlines()
    assert "  and 4,960 more changes of the signature" in lines
    assert len(lines) < 60


def test_a_reducer_that_differs() -> None:
    assert ops_of(changed("stablehlo.add", "stablehlo.maximum")) == [
        ("changed", "reduce", ["region add -> maximum"])
    ]


def test_an_op_that_is_put_in_is_the_only_difference() -> None:
    found = changed(
        "%2 = call @scale(%1)",
        "%9 = stablehlo.negate %1 : tensor<4x4xf32>\n  %2 = call @scale(%9)",
    )
    assert ops_of(found) == [("added", "negate", [])]
    assert found.op_counts == (("stablehlo.negate", 0, 1),)
    assert {c.what: c.change for c in found.costs if c.change} == {
        "operations": 16,
        "read and written": 128,
    }


def test_other_operands_are_told() -> None:
    # The sum takes the product itself, no longer its tanh scaled.
    found = changed("reduce(%2 init", "reduce(%0 init")
    assert ops_of(found) == [("rewired", "reduce", ["operand 0 %2 -> %0"])]


def test_functions_that_are_added_removed_and_renamed() -> None:
    extra = "func.func private @{}(%x: tensor<3xf32>) -> tensor<3xf32> {{\n%0 = stablehlo.{} %x : tensor<3xf32>\nreturn %0 : tensor<3xf32> }}\n"  # noqa: E501
    a = PROGRAM + extra.format("old", "sine") + extra.format("kept", "floor")
    b = PROGRAM + extra.format("new", "floor")
    found = between(a, b)
    assert [(f.kind, f.before, f.after) for f in found.functions] == [
        ("renamed", "kept", "new"),
        ("removed", "old", None),
    ]


def test_a_function_with_another_name_that_was_changed_is_found_by_its_ops() -> None:
    other = PROGRAM.replace("@scale", "@rescale").replace("dense<2.0>", "dense<3.0>")
    found = between(PROGRAM, other)
    assert [(f.kind, f.before, f.after) for f in found.functions] == [
        ("calls", "main", "main"),
        ("changed", "scale", "rescale"),
    ]


def test_a_parameter_that_is_put_in_front_changes_the_signature_alone() -> None:
    found = changed("@main(%a:", "@main(%new: tensor<i32>, %a:")
    main = found.function("main")
    assert main is not None
    assert main.signature == (Change("parameter 0", None, "tensor<i32>"),)
    assert main.ops == ()


def test_types_donation_and_visibility_of_signatures() -> None:
    a = "func.func @main(%x: tensor<4xf32> {jax.buffer_donor = true}) -> tensor<4xf32> {\nreturn %x : tensor<4xf32> }"  # noqa: E501
    b = a.replace("f32", "f64").replace(" {jax.buffer_donor = true}", "")
    main = between(a, b).function("main")
    assert main is not None
    assert [str(change) for change in main.signature] == [
        "parameter 0 tensor<4xf32> -> tensor<4xf64>",
        "result 0 tensor<4xf32> -> tensor<4xf64>",
        "parameter 0 jax.buffer_donor true is removed",
    ]
    private = between(PROGRAM, PROGRAM.replace("private ", "")).function("scale")
    assert private is not None
    assert [change.what for change in private.signature] == ["sym_visibility"]


def test_meshes_and_attributes_of_modules() -> None:
    text = (
        'module attributes {{mhlo.num_partitions = {} : i32}} {{\nsdy.mesh @{} = <["x"={}]>\n{}}}'
    )
    found = between(text.format(2, "m", 2, PROGRAM), text.format(4, "m", 4, PROGRAM))
    assert [str(c) for c in found.attributes] == ["mhlo.num_partitions 2 : i32 -> 4 : i32"]
    assert [str(c) for c in found.meshes] == ['mesh @m #sdy.mesh<["x"=2]> -> #sdy.mesh<["x"=4]>']
    assert found.functions == ()


def test_ops_in_loops_are_told_one_by_one() -> None:
    text = (CORPUS / "jax" / "llama_model.mlir").read_text()
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "stablehlo.rsqrt" in line)
    assert at < next(i for i, line in enumerate(lines) if line.startswith("  func.func private"))
    lines[at] = lines[at].replace("stablehlo.rsqrt", "stablehlo.sqrt")
    found = between(text, "\n".join(lines))
    assert [(kind, name) for kind, name, _ in ops_of(found)] == [
        ("removed", "rsqrt"),
        ("added", "sqrt"),
    ]


def test_effects_in_another_order_have_moved() -> None:
    call = "stablehlo.custom_call @{}(%x) {{has_side_effect = true}} : (tensor<4xf32>) -> ()\n"
    text = "func.func @main(%x: tensor<4xf32>) {{\n{}return }}"
    a, b = call.format("f"), call.format("g")
    found = between(text.format(a + b), text.format(b + a))
    assert [kind for kind, _, _ in ops_of(found)] == ["moved"]


@pytest.mark.parametrize("seed", range(6))
def test_edits_of_real_programs_are_what_is_told(seed: int) -> None:
    generator = random.Random(seed)
    files = sorted((CORPUS / "transformers").glob("*.mlir"))
    text = generator.choice(files).read_text()
    lines = text.splitlines()
    kinds = {"stablehlo.add": "stablehlo.subtract", "stablehlo.multiply": "stablehlo.divide"}
    pattern = re.compile(r"= (stablehlo\.(?:add|multiply)) %")
    places = [i for i, line in enumerate(lines) if pattern.search(line) and "i32" not in line]
    chosen = generator.sample(places, 3)
    for i in chosen:
        name = pattern.search(lines[i])
        assert name is not None
        lines[i] = lines[i].replace(name[1], kinds[name[1]], 1)
    found = between(text, "\n".join(lines))
    removed = [op for f in found.functions for op in f.ops if op.kind == "removed"]
    added = [op for f in found.functions for op in f.ops if op.kind == "added"]
    assert len(removed) == len(added) == found.ops_changed / 2 == 3
    where = sorted(int(op.op.where.split(":")[1]) for op in added if op.op.where)
    assert where == sorted(i + 1 for i in chosen)


def test_an_op_that_is_twice_is_one_difference_among_equal_ones() -> None:
    text = (CORPUS / "near_misses" / "covariance.mlir").read_text()
    line = next(x for x in text.splitlines() if "%2 = stablehlo.broadcast_in_dim" in x)
    found = between(text, text.replace(line, f"{line}\n{line.replace('%2', '%copy')}"))
    assert ops_of(found) == [("added", "broadcast_in_dim", [])]


def test_equal_ops_that_are_used_otherwise_are_noted() -> None:
    text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n%0 = stablehlo.tanh %x : tensor<4xf32>\n%1 = stablehlo.tanh %x : tensor<4xf32>\n%2 = stablehlo.add %0, {} : tensor<4xf32>\nreturn %2 : tensor<4xf32> }}"  # noqa: E501
    found = between(text.format("%0"), text.format("%1"))
    assert found
    assert found.functions == ()
    assert "used another number of times" in str(found)


def test_a_difference_is_plain_values() -> None:
    found = changed("stablehlo.tanh", "stablehlo.sine").as_dict()
    assert (found["schema"], found["same"]) == (1, False)
    (function,) = found["functions"]
    assert [op["kind"] for op in function["ops"]] == ["removed", "added"]
    assert function["ops"][0]["before"]["text"] == "%1 = stablehlo.tanh %0 : tensor<4x4xf32>"


def longest(a: list[int], b: list[int]) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else best
    return table[len(a)][len(b)]


def test_alignment_pairs_equal_entries_in_order() -> None:
    generator = random.Random(1)
    for _ in range(500):
        a, b = ([generator.randrange(4) for _ in range(generator.randrange(12))] for _ in "ab")
        pairs = align([a], [b])
        assert all(a[i] == b[j] for i, j in pairs)
        assert all(x < y and v < w for (x, v), (y, w) in itertools.pairwise(pairs))
        assert 2 * len(pairs) >= longest(a, b)  # anchors may cost some


def test_alignment_of_a_repeating_sequence_finds_hundreds_of_changes() -> None:
    a = [i % 3 for i in range(30_000)]
    b = list(a)
    for i in random.Random(3).sample(range(len(b)), 300):
        b[i] = 3
    assert len(align([a], [b])) >= 29_690


def test_alignment_of_long_sequences_takes_no_quadratic_time() -> None:
    generator = random.Random(2)
    a = [generator.randrange(20) for _ in range(30_000)]
    b = [generator.randrange(20) for _ in range(30_000)]
    c = list(a)
    for _ in range(50):
        c[generator.randrange(len(c))] = 20
        c.insert(generator.randrange(len(c)), 21)
    assert len(align([neighbourhoods(a), a], [neighbourhoods(c), c])) == 30_000 - 50
    align([neighbourhoods(a), a], [neighbourhoods(b), b])  # or the test would not end in time
