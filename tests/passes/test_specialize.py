"""dxir-specialize: the static program computes what the dynamic one says."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import dxir
from dxir import f32, ops
from dxir.errors import PassError
from dxir.passes.shapes.symbols import Expression
from dxir.program import Program


def exported(function: Any, shapes: str, *dtypes: Any) -> Program:
    """The program of a JAX function on arguments of symbolic shapes, `;` between them."""
    scope = export.SymbolicScope()
    arguments = [
        jax.ShapeDtypeStruct(
            export.symbolic_shape(s, scope=scope), dtypes[i] if dtypes else f32.numpy
        )
        for i, s in enumerate(shapes.split(";"))
    ]
    return dxir.load(str(export.export(jax.jit(function))(*arguments).mlir_module()))


def is_static(program: Program) -> bool:
    return "?" not in str(program)


def at_rest(program: Program, **given: Any) -> Program:
    """The program specialized, checked to be static, valid, and to stay as it is."""
    found = program.specialize(**given).verify()
    assert is_static(found)
    assert str(found.specialize(**given)) == str(found)
    return found


def _mix(x: Any, y: Any) -> Any:
    doubled = jnp.concatenate([x, x * 2], axis=0)
    total = jnp.sum(doubled, axis=0) + jnp.mean(y)
    weights = jax.nn.softmax(x @ x.T)
    looped = jax.lax.fori_loop(0, x.shape[0], lambda i, a: a + x, jnp.zeros_like(x))
    return total, weights, looped, jnp.pad(x, ((1, x.shape[0]), (0, 0))), jnp.arange(x.shape[0] * 2)


def _index(x: Any, i: Any) -> Any:
    return x[i], jnp.take(x, i, axis=0, mode="clip"), x[::-1], x[1:], jnp.cumsum(x, axis=0)


def _custom(x: Any, y: Any) -> Any:
    largest = jax.lax.top_k(x, x.shape[0] // 2 + 1)
    bits = jax.random.bits(jax.random.key(3, impl="rbg"), (x.shape[0],))
    windows = jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (2,), (2,), "SAME")
    return *largest, bits.shape[0] + 0 * bits.astype(jnp.float32), windows


def _scanned(x: Any, y: Any) -> Any:
    return jax.lax.scan(lambda c, row: (c + row, c * row), jnp.sum(y) + jnp.zeros(3), x)


def _shape(x: Any, y: Any) -> Any:
    half = x.reshape(-1, 2)
    return half, jnp.tile(y, 2), jnp.where(x > 0, x, 0), jnp.outer(x, y), jnp.max(half, axis=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "shapes", "sizes", "second"),
    [
        (_mix, "b, 4;2*b,", {"b": 3}, "f32"),
        (_mix, "b, 4;2*b,", {"b": 1}, "f32"),
        (_index, "n, 3;k,", {"n": 5, "k": 2}, "i32"),
        (_index, "n, 3;k,", {"n": 2, "k": 7}, "i32"),
        (_custom, "n,;k,", {"n": 5, "k": 3}, "f32"),
        (_scanned, "n, 3;k,", {"n": 4, "k": 2}, "f32"),
        (_shape, "2*b;c", {"b": 2, "c": 3}, "f32"),
    ],
)
def test_a_program_of_jax_with_symbolic_shapes_runs(
    function: Any, shapes: str, sizes: dict[str, int], second: str
) -> None:
    dtype = np.dtype(np.int32 if second == "i32" else np.float32)
    program = exported(function, shapes, np.float32, dtype)
    static = at_rest(program, dims=sizes)
    rng = np.random.default_rng(0)
    parameters = [_dims(s, sizes) for s in shapes.split(";")]
    x = rng.standard_normal(parameters[0]).astype(np.float32)
    y = rng.integers(0, 2, parameters[1]).astype(dtype)
    found = dxir.compile(static)(x, y)
    for result, wanted in zip(found, function(x, y), strict=True):
        np.testing.assert_allclose(np.asarray(result), np.asarray(wanted), rtol=1e-5, atol=1e-6)


def _dims(text: str, sizes: dict[str, int]) -> tuple[int, ...]:
    parts = [p.strip() for p in text.split(",") if p.strip()]
    return tuple(int(p) if p.isdecimal() else Expression(p).value(sizes) or 0 for p in parts)


def test_shapes_of_arguments_give_sizes_to_names_and_those_to_other_arguments() -> None:
    program = exported(_mix, "b, 4;2*b,")
    assert str(at_rest(program, shapes={"x": (3, 4)})) == str(at_rest(program, dims={"b": 3}))
    assert str(at_rest(program, shapes=[np.ones((3, 4))])) == str(at_rest(program, dims={"b": 3}))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"shapes": {"x": (3, 4), "y": (7,)}}, r"dimension 0 of argument 1 \(y: .* is 7, but b=3"),
        ({"dims": {"c": 3}}, "no dimension of @main is called 'c'"),
        ({"dims": {"b": 0}}, "Expected value >= 1 for dimension variable 'b'"),
        ({}, r"dimension 0 \(b\) of argument 0 \(x: tensor<\?x4xf32>\) has no size"),
        ({"shapes": {"x": (3, 4)}, "dims": {"b": 4}}, "makes it 4|is 4 by dims"),
        ({"shapes": [(3, 4), (6,), (1,)]}, "@main has 2 arguments, and none at position 2"),
        ({"shapes": ["3"]}, "is not a shape"),
        ({"function": "nobody"}, "there is no function @nobody"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], message: str) -> None:
    program = exported(_mix, "b, 4;2*b,")
    with pytest.raises(PassError, match=message):
        program.specialize(**given)


def test_a_name_that_no_argument_has_is_told_with_those_there_are() -> None:
    with pytest.raises(PassError, match="no argument called 'z'") as told:
        exported(_mix, "b, 4;2*b,").specialize(shapes={"z": (3, 4)})
    assert str(told.value.hint).startswith("the names are x, y: names come from the locations")
    text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    with pytest.raises(PassError, match="no argument called 'x'") as told:
        dxir.load(text).specialize(shapes={"x": (3,)})
    assert "none of its arguments has a name" in str(told.value.hint)
    assert "not from what stands behind a %; a position will do: argument 0" in str(told.value.hint)


def test_names_of_dimensions_outlive_lowering() -> None:
    b = dxir.Builder("main")
    x = b.param(f32["batch", 4], name="x")
    y = b.param(f32["batch", 4], name="y")
    program = dxir.lower(b.build(ops.softmax(ops.add(x, y))))
    static = at_rest(program, dims={"batch": 3})
    assert static.op_counts()["stablehlo.composite"] == 1
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    wanted = np.exp(2 * a - 2 * a.max(1, keepdims=True))
    found = np.asarray(dxir.compile(static)(a, a))
    np.testing.assert_allclose(found, wanted / wanted.sum(1, keepdims=True), rtol=1e-5)
    assert dxir.lower(program.raise_()).fingerprint() == program.fingerprint()


B53 = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = stablehlo.add %x, %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}"""


def test_a_dynamic_batch_runs_once_it_has_a_size() -> None:
    static = at_rest(dxir.load(B53), shapes=[(3, 4)])
    x = np.ones((3, 4), np.float32)
    np.testing.assert_array_equal(np.asarray(dxir.compile(static)(x)), x + x)


OPS = """
func.func @main(%x: tensor<?x4xf32>) -> (
    tensor<?x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x1x4xf32>, tensor<?x?xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.constant dense<4> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  %f = stablehlo.constant dense<7.0> : tensor<f32>
  %s = stablehlo.concatenate %n1, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  %t = stablehlo.multiply %n1, %4 : tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %t : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %10 = stablehlo.concatenate %1, %z, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %11 = stablehlo.concatenate %1, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sl = stablehlo.real_dynamic_slice %x, %10, %s, %11
    : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf32>
  %ss = stablehlo.concatenate %1, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ii = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %is = stablehlo.concatenate %n1, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i2 = stablehlo.dynamic_reshape %ii, %is : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
  %g = "stablehlo.dynamic_gather"(%x, %i2, %ss) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>
  } : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x1x4xf32>
  %p = stablehlo.dynamic_pad %x, %f, %10, %is, %10
    : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %i, %flat, %sl, %g, %p
    : tensor<?x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x1x4xf32>, tensor<?x?xf32>
}"""


@pytest.mark.parametrize("rows", [1, 3])
def test_each_dynamic_op_becomes_its_static_one(rows: int) -> None:
    static = at_rest(dxir.load(OPS), shapes=[(rows, 4)])
    assert not [name for name in static.op_counts() if "dynamic" in name]
    x = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
    iota, flat, slice_, gathered, padded = map(np.asarray, dxir.compile(static)(x))
    np.testing.assert_array_equal(iota, np.tile(np.arange(4, dtype=np.float32), (rows, 1)))
    np.testing.assert_array_equal(flat, x.reshape(-1))
    np.testing.assert_array_equal(slice_, x[1:])
    np.testing.assert_array_equal(gathered, x[:, None])
    wanted = np.full((3 * rows, 5), 7, np.float32)
    wanted[1 : 2 * rows : 2, :4] = x
    np.testing.assert_array_equal(padded, wanted)


def test_a_dynamic_convolution_becomes_a_static_one() -> None:
    program = dxir.load("""
      func.func @main(%x: tensor<?x8x8x2xf32>, %w: tensor<3x3x2x5xf32>) -> tensor<?x?x?x5xf32> {
        %p = stablehlo.constant dense<1> : tensor<2x2xi64>
        %r = "stablehlo.dynamic_conv"(%x, %w, %p) {
          dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
          feature_group_count = 1 : i64, batch_group_count = 1 : i64
        } : (tensor<?x8x8x2xf32>, tensor<3x3x2x5xf32>, tensor<2x2xi64>) -> tensor<?x?x?x5xf32>
        return %r : tensor<?x?x?x5xf32>
      }""")
    assert "tensor<2x8x8x5xf32>" in str(at_rest(program, shapes=[(2, 8, 8, 2)]))


ARITHMETIC = """
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %p = stablehlo.reduce(%s init: %1) applies stablehlo.multiply across dimensions = [0]
    : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %p1 = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_reshape %x, %p1 : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %h = stablehlo.constant dense<0.5> : tensor<f32>
  %g = stablehlo.multiply %f, %h : tensor<f32>
  %k = stablehlo.ceil %g : tensor<f32>
  %q = stablehlo.convert %k : (tensor<f32>) -> tensor<i32>
  %q1 = stablehlo.reshape %q : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %q1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %l:3 = stablehlo.while(%a = %0, %b = %p1, %c = %r) : tensor<i32>, tensor<1xi32>, tensor<?xf32>
  cond {
    %t = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %a1 = stablehlo.add %a, %1 : tensor<i32>
    %z = func.call @step(%b) : (tensor<1xi32>) -> tensor<?xf32>
    %d = stablehlo.add %c, %z : tensor<?xf32>
    stablehlo.return %a1, %b, %d : tensor<i32>, tensor<1xi32>, tensor<?xf32>
  }
  return %r, %i, %l#2 : tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
}
func.func private @step(%n: tensor<1xi32>) -> tensor<?xf32> {
  %r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_shapes_may_be_computed_by_any_op_through_loops_and_calls() -> None:
    static = at_rest(dxir.load(ARITHMETIC), shapes=[(3, 4)])
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    flat, iota, looped = map(np.asarray, dxir.compile(static)(x))
    np.testing.assert_array_equal(iota, np.arange(2))
    np.testing.assert_array_equal(looped, flat + 3 * np.arange(12, dtype=np.float32))


CALLS = """
func.func public @first(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = call @twice(%y) : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
func.func public @second(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = call @once(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = call @once(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}
func.func private @once(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.add %x, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}"""


@pytest.mark.parametrize(("sizes", "copies"), [((3, 5), 4), ((3, 3), 2)])
def test_each_shape_gets_its_own_function_and_other_functions_keep_theirs(
    sizes: tuple[int, int], copies: int
) -> None:
    program = dxir.load(CALLS)
    found = program.specialize([(s,) for s in sizes], function="first").verify()
    assert len(found.function_names) == len(program.function_names) + copies
    text = str(found)
    assert f"@first(%arg0: tensor<{sizes[0]}xf32>, %arg1: tensor<{sizes[1]}xf32>)" in text
    assert "@second(%arg0: tensor<?xf32>)" in text
    again = found.specialize([(s,) for s in sizes], function="first")
    assert str(again) == text


@pytest.mark.parametrize("size", [3, 5])
def test_bounds_fall_away(size: int) -> None:
    program = dxir.load(B53.replace("?x4xf32", "?x4xf32, #stablehlo.bounds<5, ?>"))
    assert "bounds" not in str(at_rest(program, shapes=[(size, 4)]))
    with pytest.raises(PassError, match="is at most 5"):
        program.specialize([(6, 4)])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%r = stablehlo.custom_call @foo(%x) : (tensor<?xf32>) -> tensor<?xf32>",
            r"<text>:2:6: .*custom_call @foo stayed dynamic .* nothing says what shape it gives",
        ),
        (
            "%c = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xi32>\n"
            "%s = stablehlo.slice %c [0:1] : (tensor<?xi32>) -> tensor<1xi32>\n"
            "%r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>",
            "dynamic_iota stayed dynamic .* depends on argument 0 of @main",
        ),
        (
            "%r = stablehlo.add %x, %y : tensor<?xf32>",
            "requires the same shape",
        ),
    ],
)
def test_an_op_that_stays_dynamic_is_named_with_the_reason(body: str, message: str) -> None:
    program = dxir.load(
        "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n"
        f"{body}\nreturn %r : tensor<?xf32>\n}}"
    )
    with pytest.raises(PassError, match=message):
        program.specialize([(3,), (4,)])


def test_ops_that_give_what_they_take_keep_their_meaning() -> None:
    program = dxir.load("""
      sdy.mesh @m = <["a"=2]>
      func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
        %r = sdy.sharding_constraint %x <@m, [{}, {"a"}]> : tensor<?x4xf32>
        %s = stablehlo.custom_call @Sharding(%r) {mhlo.sharding = "{replicated}"}
          : (tensor<?x4xf32>) -> tensor<?x4xf32>
        return %s : tensor<?x4xf32>
      }""")
    text = str(at_rest(program, shapes=[(2, 4)]))
    assert 'sdy.sharding_constraint %arg0 <@m, [{}, {"a"}]> : tensor<2x4xf32>' in text
    assert 'custom_call @Sharding(%0) {mhlo.sharding = "{replicated}"}' in text


def test_a_composite_in_a_loop_is_expanded_and_that_is_said() -> None:
    program = dxir.load("""
      func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
        %0 = stablehlo.constant dense<0> : tensor<i32>
        %1 = stablehlo.constant dense<1> : tensor<i32>
        %l:2 = stablehlo.while(%a = %0, %c = %x) : tensor<i32>, tensor<?xf32>
        cond {
          %t = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %a1 = stablehlo.add %a, %1 : tensor<i32>
          %d = stablehlo.composite "acme.double" %c {decomposition = @double}
            : (tensor<?xf32>) -> tensor<?xf32>
          stablehlo.return %a1, %d : tensor<i32>, tensor<?xf32>
        }
        return %l#1 : tensor<?xf32>
      }
      func.func private @double(%x: tensor<?xf32>) -> tensor<?xf32> {
        %r = stablehlo.add %x, %x : tensor<?xf32>
        return %r : tensor<?xf32>
      }""")
    static = program.specialize([(3,)])
    (warning,) = static.diagnostics
    assert "is expanded: it is dynamic, and in a loop" in warning.message
    found = dxir.compile(static)(np.ones(3, np.float32), np.int32(4))
    np.testing.assert_array_equal(np.asarray(found), np.full(3, 16, np.float32))


def test_what_would_end_the_process_is_refused() -> None:
    call = """
      func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
        %r = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
        return %r : tensor<?xf32>
      }
      func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32>"""
    with pytest.raises(PassError, match="@f has no body"):
        dxir.load(call).specialize([(3,)])
    body = "{ %r = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32> return %r : tensor<?xf32> }"
    with pytest.raises(PassError, match="functions call themselves: @f -> @f"):
        dxir.load(call + body).specialize([(3,)])


def test_a_part_may_be_specialized() -> None:
    program = dxir.load(
        "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>)\n"
        "  -> (tensor<?xf32>, tensor<?xf32>) {\n"
        "return %x, %y : tensor<?xf32>, tensor<?xf32>\n}"
    )
    pipeline = 'dxir-specialize{shapes="3" partial=true}'
    found = program.run_passes(pipeline).verify()
    assert "(%arg0: tensor<3xf32>, %arg1: tensor<?xf32>)" in str(found)
    assert str(found.run_passes(pipeline)) == str(found)


@pytest.mark.parametrize(
    ("text", "names", "value"),
    [
        ("b", ("b",), 7),
        ("2*b + 1", ("b",), 15),
        ("floordiv(b, 2)", ("b",), 3),
        ("max(b, c)", ("b", "c"), 11),
        ("b^2 - mod(c, 4)", ("b", "c"), 46),
        ("-b + c", ("b", "c"), 4),
        ("b.real", ("b",), None),
        ("floordiv(b, 0)", ("b",), None),
        ("b +", (), None),
        ("exec(b)", ("b",), None),
    ],
)
def test_a_dimension_may_be_computed_from_names(
    text: str, names: tuple[str, ...], value: int | None
) -> None:
    expression = Expression(text)
    assert expression.names == names
    assert expression.value({"b": 7, "c": 11}) == value
    assert expression.value({}) is None


@pytest.mark.parametrize("name", ["@f", '@"my fn"'])
def test_a_dynamic_function_stays_while_something_that_stays_names_it(name: str) -> None:
    dynamic = "(%x: tensor<?xf32>) -> tensor<?xf32>"
    program = dxir.load(
        f"""
        func.func private {name}{dynamic} {{ return %x : tensor<?xf32> }}
        func.func private @left{dynamic} {{ return %x : tensor<?xf32> }}
        func.func private @static() attributes {{acme.uses = [{name}]}} {{ return }}
        func.func private @called{dynamic} attributes {{acme.uses = @left}} {{
          return %x : tensor<?xf32>
        }}
        func.func @main{dynamic} {{ return %x : tensor<?xf32> }}"""
    )
    found = program.specialize([(3,)]).verify()
    assert found.function_names == (name.strip('@"'), "static", "main")
