"""Dynamic dimensions rounded up to buckets: what padding holds is never seen."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax

import dxir
from dxir import Dim, f32, ops
from dxir.errors import ArgumentError, TargetError
from dxir.program import Program
from dxir.runtime.array import HostArray
from dxir.runtime.buckets import bucketing
from dxir.runtime.buckets.bucketing import BucketingExecutable, rounded
from dxir.runtime.pjrt import to_device

FILLS = ("zeros", "nan", "huge", "negative")


def exported(function: Any, shapes: str, *dtypes: Any) -> Program:
    """The program of a JAX function on arguments of symbolic shapes, `;` between them."""
    scope = export.SymbolicScope()
    arguments = [
        jax.ShapeDtypeStruct(
            export.symbolic_shape(s, scope=scope), dtypes[i] if dtypes else np.float32
        )
        for i, s in enumerate(shapes.split(";"))
    ]
    return dxir.load(bytes(export.export(jax.jit(function))(*arguments).mlir_module_serialized))


def bucketing_of(source: Any, **buckets: Any) -> BucketingExecutable:
    found = dxir.compile(source, buckets=buckets)
    assert isinstance(found, BucketingExecutable)
    return found


def filled_with(what: str) -> Callable[..., Any]:
    """What stands in for new arrays, full of something that would be noticed."""

    def make(shape: Any, dtype: Any) -> Any:
        kind = np.dtype(dtype).kind
        if what == "zeros":
            return np.zeros(shape, dtype)
        if kind == "b":
            return np.ones(shape, dtype)
        if kind in "iu":
            limits = np.iinfo(dtype)
            return np.full(shape, limits.min if what == "negative" else limits.max, dtype)
        values = {"nan": np.nan, "huge": np.finfo(dtype).max, "negative": -np.inf}
        return np.full(shape, values[what], dtype)

    return make


def whole(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Any:
    """Small integers, so that sums are exact in any order."""
    return np.random.default_rng(seed).integers(0, 3, shape).astype(dtype)


def _attention(x: Any, mask: Any) -> Any:
    scores = jnp.einsum("bid,bjd->bij", x, x) + mask[:, None, :]
    return jnp.einsum("bij,bjd->bid", jnp.maximum(scores, 0), x), jnp.max(scores, axis=-1)


def _mlp(x: Any, w: Any) -> Any:
    hidden = jnp.where(x @ w > 2, x @ w, 0.5)
    return hidden.sum(axis=1), hidden.T, jnp.broadcast_to(w[0], hidden.shape), hidden[:, ::-1]


def _lookup(table: Any, i: Any) -> Any:
    return jnp.take(table, i, axis=0, mode="clip"), table[i]


def _columns(x: Any, i: Any) -> Any:
    return jnp.take(x, i, axis=1, mode="clip"), x[:, 1], x[:, 1:3], jnp.sort(x, axis=1)


def _shapes(x: Any, y: Any) -> Any:
    pairs = x.reshape(x.shape[0], 2, 2)
    return pairs, jnp.concatenate([x, y * 2], axis=1), jnp.pad(x, ((0, 0), (1, 2)))


def _loops(x: Any, n: Any) -> Any:
    return lax.fori_loop(0, 3, lambda i, a: a * 2 + x, x), lax.cond(
        n[0] > 1, lambda a: a + 1, lambda a: a - 1, x
    )


def _integers(x: Any, y: Any) -> Any:
    return x & y, x << y, lax.population_count(x), jnp.max(x, axis=1)


def _pooled(x: Any, k: Any) -> Any:
    return lax.conv_general_dilated(x, k, (1, 1), "SAME"), jnp.cumsum(x, axis=3)


CASES: dict[str, tuple[Any, str, tuple[Any, ...]]] = {
    "attention": (_attention, "b, 3, 4;b, 3", ()),
    "mlp": (_mlp, "b, 4;4, 3", ()),
    "lookup": (_lookup, "5, 3;b, 2", (np.float32, np.int32)),
    "columns": (_columns, "b, 4;3,", (np.float32, np.int32)),
    "shapes": (_shapes, "b, 4;b, 3", ()),
    "loops": (_loops, "b, 4;2,", ()),
    "integers": (_integers, "b, 4;b, 4", (np.int32, np.int32)),
    "convolution": (lambda x, k: lax.conv(x, k, (1, 1), "SAME"), "b, 2, 5, 5;3, 2, 3, 3", ()),
    "rows by rows": (lambda x, y: (x @ x.T, y), "b, 4;b,", ()),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_whatever_padding_holds_the_results_are_the_same_to_the_bit(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, shapes, dtypes = CASES[case]
    program = exported(function, shapes, *dtypes)
    run = bucketing_of(program, b=(4, 8))
    plain = dxir.compile(program)
    for size in (1, 3, 4, 6):
        arguments = [
            whole(
                *[size if d.strip() == "b" else int(d) for d in s.split(",") if d.strip()],
                seed=i,
                dtype=dtypes[i] if dtypes else np.float32,
            )
            for i, s in enumerate(shapes.split(";"))
        ]
        wanted = [r.numpy() for r in plain.run(arguments)]
        for fill in FILLS:
            monkeypatch.setattr(bucketing, "filled", filled_with(fill))
            for mine, theirs in zip(run.run(arguments), wanted, strict=True):
                assert mine.shape == theirs.shape
                assert mine.numpy().tobytes() == theirs.tobytes(), (size, fill)
    first = [shapes[0 if case != "lookup" else 1][0] for shapes in run.specializations]
    assert sorted(first) == [4, 8]


@pytest.mark.parametrize("fill", FILLS)
def test_composites_and_named_dimensions_of_graphs_are_seen_through(
    fill: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = dxir.Builder("main")
    x = b.param(f32["n", 4], name="x")
    w = b.param(f32[4, 4], name="w")
    run = bucketing_of(b.build(ops.softmax(ops.gelu(ops.matmul(x, w)))), n="powers of two")
    monkeypatch.setattr(bucketing, "filled", filled_with(fill))
    x = np.random.default_rng(1).standard_normal((5, 4), np.float32)
    w = np.random.default_rng(2).standard_normal((4, 4), np.float32)
    for size in (1, 2, 3, 5):
        wanted = dxir.evaluate(_graph(), x[:size], w)
        result = run(x[:size], w)
        assert result.shape == (size, 4)
        np.testing.assert_allclose(np.asarray(result), wanted, rtol=1e-5, atol=1e-6)
    assert [shapes[0][0] for shapes in run.specializations] == [1, 2, 4, 8]


def _graph() -> Any:
    b = dxir.Builder("main")
    x = b.param(f32["n", 4], name="x")
    w = b.param(f32[4, 4], name="w")
    return b.build(ops.softmax(ops.gelu(ops.matmul(x, w))))


REFUSED: dict[str, tuple[Any, str, str]] = {
    "sum": (lambda x: jnp.sum(x, axis=0), "b, 4", "reduce combines values along b, its axis 0"),
    "softmax": (lambda x: jax.nn.softmax(x, axis=0), "b, 4", "reduce combines values along b"),
    "mean": (lambda x: x / x.shape[0], "b, 4", "the size of a padded dimension"),
    "contraction": (lambda x: x.T @ x, "b, 4", "dot_general combines values along b"),
    "reverse": (lambda x: x[::-1], "b, 4", "computes with the size of a padded dimension"),
    "concatenate": (lambda x: jnp.concatenate([x, x]), "b, 4", "concatenate puts values one after"),
    "sort": (lambda x: jnp.sort(x, axis=0), "b, 4", "sort sorts values along b"),
    "cumsum": (lambda x: jnp.cumsum(x, axis=0), "b, 4", "is not known to keep padding apart"),
    "last row": (lambda x: x[-1], "b, 4", "dynamic_slice is not known to keep padding apart"),
    "first rows": (lambda x: x[:2], "b + 2, 4", "follows from it"),
    "flatten": (lambda x: x.reshape(-1), "b, 4", "computed from the size of a padded dimension"),
    "tile": (lambda x: jnp.tile(x, (2, 1)), "b, 4", "padd"),
    "pad": (lambda x: jnp.pad(x, ((1, 0), (0, 0))), "b, 4", "adds values along b"),
    "size": (lambda x: x.shape[0] + jnp.int32(0), "b, 4", "padded size as a result"),
    "rounds": (
        lambda x: lax.fori_loop(0, x.shape[0], lambda i, a: a + 1, x),
        "b, 4",
        "runs as often as padded values say",
    ),
    "condition": (
        lambda x: lax.while_loop(lambda a: jnp.max(a) < 9, lambda a: a + 1, x),
        "b, 4",
        "reduce combines values along b",
    ),
    "scatter": (lambda x: jnp.zeros((4, 4)).at[:, 0].add(x[:, 0].sum()), "b, 4", "along b"),
    "derived": (lambda x, y: (x, y), "b, 4;2*b,", "axis 0 of parameter 1, 2*b, follows from it"),
    "positions from the end": (
        lambda x: x * jnp.arange(x.shape[0])[::-1, None],
        "b, 4",
        "computes with the size of a padded dimension",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_mixes_along_a_padded_dimension_is_refused(case: str) -> None:
    function, shapes, told = REFUSED[case]
    with pytest.raises(TargetError, match="b cannot be rounded up to buckets: ") as caught:
        dxir.compile(exported(function, shapes), buckets={"b": (4, 8)})
    assert told in str(caught.value)


def test_a_refusal_names_the_line_of_the_op() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<?x4xf32> {dxir.dims = ["n", ""]}) -> tensor<4xf32> {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }""")
    with pytest.raises(TargetError, match=r"<text>:4:28: n cannot .* stablehlo.reduce combines"):
        dxir.compile(program, buckets={"n": (4,)})


def test_sizes_that_are_a_bucket_stay_on_the_device() -> None:
    run = bucketing_of(_graph(), n=(2, 4))
    w = to_device(whole(4, 4))
    x = to_device(whole(4, 4))
    assert type(run(x, w)) is type(x)
    padded = run(to_device(whole(3, 4)), w)
    assert isinstance(padded, HostArray)
    assert run(padded, w).shape == (3, 4)


def test_sizes_beyond_all_buckets_are_compiled_for_themselves() -> None:
    run = bucketing_of(_graph(), n=(4, 2))
    for size in (0, 1, 3, 9):
        assert run(whole(size, 4), whole(4, 4)).shape == (size, 4)
    assert [shapes[0][0] for shapes in run.specializations] == [2, 4, 9]


def test_two_dimensions_are_rounded_up_on_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucketing, "filled", filled_with("nan"))
    program = exported(lambda x, y: x[:, None] * y[None, :], "b,;c,")
    run = bucketing_of(program, b=(4,), c=(8,))
    x, y = whole(3), whole(5, seed=1)
    assert np.array_equal(np.asarray(run(x, y)), np.outer(x, y))
    assert run.specializations == (((4,), (8,)),)
    with pytest.raises(TargetError, match="b and c cannot be rounded up"):
        dxir.compile(
            exported(lambda x, y: jnp.concatenate([x, y]), "b,;c,"), buckets={"b": (4,), "c": (4,)}
        )


def test_true_sizes_are_checked() -> None:
    run = bucketing_of(exported(lambda x, y: x * y, "b, 4;b, 4"), b=(4,))
    with pytest.raises(ArgumentError, match="b is 3 by axis 0 of parameter 0, and 2 by axis 0"):
        run(whole(3, 4), whole(2, 4))
    with pytest.raises(ArgumentError, match="Expected value >= 1 for dimension variable 'b'"):
        run(whole(0, 4), whole(0, 4))
    with pytest.raises(ArgumentError, match=r"parameter 0 takes f32\[b, 4\], not f64"):
        run(whole(3, 4).astype(np.float64), whole(3, 4))
    with pytest.raises(ArgumentError, match="takes 2 arguments, not 1"):
        run(whole(3, 4))


def test_a_bucket_is_no_larger_than_a_bound() -> None:
    b = dxir.Builder("main")
    x = b.param(f32[Dim("n", 6)], name="x")
    run = bucketing_of(b.build(ops.add(x, x)), n="powers of two")
    assert run(whole(5)).shape == (5,)
    assert run.specializations == (((6,),),)


@pytest.mark.parametrize(
    ("size", "buckets", "wanted"),
    [
        (0, "powers of two", 1),
        (1, "powers of two", 1),
        (2, "powers of two", 2),
        (3, "powers of two", 4),
        (1025, "powers of two", 2048),
        (0, (4, 8), 4),
        (4, (4, 8), 4),
        (5, (4, 8), 8),
        (9, (4, 8), 9),
    ],
)
def test_a_size_goes_into_the_next_bucket(size: int, buckets: Any, wanted: int) -> None:
    assert rounded(size, buckets, None) == wanted


@pytest.mark.parametrize(
    ("buckets", "told"),
    [
        ({"m": (4,)}, "no dimension is called that\n  hint: there are n"),
        ({"n": ()}, "() are no buckets for n"),
        ({"n": (4, -1)}, "(4, -1) are no buckets for n"),
        ({"n": (4.0,)}, "are no buckets for n"),
        ({"n": "doubling"}, "give sizes, or 'powers of two'"),
    ],
)
def test_other_buckets_are_refused(buckets: Any, told: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        dxir.compile(_graph(), buckets=buckets)
    assert told in str(caught.value)


def test_buckets_are_for_dynamic_programs_on_targets_of_known_sizes() -> None:
    with pytest.raises(TargetError, match="reference runs programs of any size"):
        dxir.compile(_graph(), "reference", buckets={"n": (4,)})
    b = dxir.Builder("main")
    x = b.param(f32[4], name="x")
    with pytest.raises(TargetError, match="no parameter has a dynamic dimension"):
        dxir.compile(b.build(ops.add(x, x)), buckets={"n": (4,)})


def test_threads_share_the_executables_of_buckets() -> None:
    run = bucketing_of(exported(lambda x: x * 2, "b, 4"), b=(4, 8))

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(50):
            x = np.full((int(random.integers(1, 9)), 4), seed, np.float32)
            assert np.array_equal(np.asarray(run(x)), x * 2)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert sorted(shapes[0][0] for shapes in run.specializations) == [4, 8]
