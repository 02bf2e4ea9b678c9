"""Cross entropy with weights and with integer labels, reduced and not, and its near misses."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import nn

import dxir
from dxir import ops

from .exact import found, found_in, lowered, random

EXAMPLE = Path(__file__).parents[2] / "examples" / "llama_decoder.py"
Loss = Callable[[Any, Any], Any]


def attributes(
    reduction: str, form: str = "log_sum_exp", negated: str = "true", more: str = ""
) -> str:
    stated = f'axis = 1 : i64, form = "{form}", negated = {negated}'
    return f'{stated}, {more}reduction = "{reduction}"'


def by_log(x: Any, y: Any) -> Any:
    return -jnp.sum(y * jnp.log(nn.softmax(x)), axis=-1)


WEIGHTED: dict[str, tuple[Loss, str]] = {
    "none": (lambda x, y: -jnp.sum(y * nn.log_softmax(x), axis=-1), attributes("none")),
    "negated before": (lambda x, y: jnp.sum(-nn.log_softmax(x) * y, axis=-1), attributes("none")),
    "negated inside": (lambda x, y: jnp.sum(-(y * nn.log_softmax(x)), axis=-1), attributes("none")),
    "kept dimension": (
        lambda x, y: -jnp.sum(y * nn.log_softmax(x), axis=-1, keepdims=True)[:, 0],
        attributes("none"),
    ),
    "mean": (
        lambda x, y: jnp.mean(-jnp.sum(y * nn.log_softmax(x), axis=-1)), attributes("mean")
    ),
    "negated mean": (
        lambda x, y: -jnp.mean(jnp.sum(y * nn.log_softmax(x), axis=-1)), attributes("mean")
    ),
    "mean in one go": (
        lambda x, y: -jnp.sum(y * nn.log_softmax(x)) / x.shape[0], attributes("mean")
    ),
    "sum": (lambda x, y: -jnp.sum(y * nn.log_softmax(x)), attributes("sum")),
    "sum of sums": (
        lambda x, y: jnp.sum(-jnp.sum(y * nn.log_softmax(x), axis=-1)), attributes("sum")
    ),
    "not negated": (
        lambda x, y: jnp.sum(y * jnp.log(nn.softmax(x))),
        attributes("sum", "log(softmax)", "false"),
    ),
    "log(softmax)": (by_log, attributes("none", "log(softmax)")),
}  # fmt: skip


@pytest.mark.parametrize("loss", WEIGHTED)
def test_labels_that_weigh_are_found(loss: str) -> None:
    make, stated = WEIGHTED[loss]
    (match,) = found_in(make, random(4, 8, hostile=True), np.abs(random(4, 8)))
    assert (match.pattern, match.attributes) == ("cross_entropy", stated)
    assert match.operands == ("tensor<4x8xf32>",) * 2


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_narrow_logits_are_found(dtype: Any) -> None:
    make, stated = WEIGHTED["mean"]
    (match,) = found_in(make, random(4, 8, dtype=dtype), random(4, 8, dtype=dtype))
    assert (match.pattern, match.attributes) == ("cross_entropy", stated)


def picked(x: Any, y: Any) -> Any:
    return -jnp.take_along_axis(nn.log_softmax(x), y[:, None], axis=-1)[:, 0]


def indexed(x: Any, y: Any) -> Any:
    return -nn.log_softmax(x)[jnp.arange(x.shape[0]), y]


def difference(x: Any, y: Any) -> Any:
    right = jnp.take_along_axis(x, y[:, None], axis=-1).take(0, axis=-1)
    return nn.logsumexp(x, axis=-1) - right


def one_hot(x: Any, y: Any) -> Any:
    return -jnp.sum(nn.one_hot(y, x.shape[1]) * nn.log_softmax(x), axis=-1)


def selected(x: Any, y: Any) -> Any:
    hit = jnp.arange(x.shape[1])[None] == y[:, None]
    return -jnp.sum(jnp.where(hit, nn.log_softmax(x), 0.0), axis=-1)


NAN = 'out_of_range = "nan", '
INTEGERS: dict[str, tuple[Loss, str, str, bool]] = {
    "picked": (picked, "log_sum_exp", NAN, True),
    "indexed": (indexed, "log_sum_exp", 'out_of_range = "clamped", ', True),
    "difference": (difference, "logsumexp", NAN, True),
    "one hot": (one_hot, "log_sum_exp", 'out_of_range = "zero", ', False),
    "selected": (selected, "log_sum_exp", 'out_of_range = "zero", ', False),
}


@pytest.mark.parametrize("loss", INTEGERS)
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_labels_that_pick_are_found(loss: str, reduction: str) -> None:
    make, form, beyond, wraps = INTEGERS[loss]
    reduce = {"none": lambda z: z, "mean": jnp.mean, "sum": jnp.sum}[reduction]
    labels = np.array([0, 7, 3, -1, 8, -9], np.int32)
    (match,) = found_in(lambda x, y: reduce(make(x, y)), random(6, 8, hostile=True), labels)
    stated = attributes(reduction, form, more=beyond) + (", wraps = true" if wraps else "")
    assert (match.pattern, match.attributes) == ("cross_entropy", stated)
    assert match.operands == ("tensor<6x8xf32>", "tensor<6xi32>")


def test_logits_of_more_axes_are_found() -> None:
    def loss(x: Any, y: Any) -> Any:
        logs = nn.log_softmax(x.astype(jnp.float32), axis=1)
        return -jnp.mean(jnp.take_along_axis(logs, y[:, None], axis=1))

    labels = np.array([[0, 1, 2], [3, 4, 0]], np.int32)
    (match,) = found_in(loss, random(2, 5, 3, dtype=ml_dtypes.bfloat16), labels)
    assert 'reduction = "mean"' in match.attributes
    assert match.attributes.startswith("axis = 1 : i64")
    assert match.operands[1] == "tensor<2x3xi32>"


def test_a_label_may_stand_for_rows_that_do_not_count() -> None:
    def loss(x: Any, y: Any) -> Any:
        counts = y != -100
        logs = nn.log_softmax(x)[jnp.arange(x.shape[0]), jnp.where(counts, y, 0)]
        return jnp.sum(jnp.where(counts, -logs, 0.0)) / jnp.sum(counts.astype(jnp.float32))

    labels = np.array([0, -100, 3, 7], np.int32)
    (match,) = found_in(loss, random(4, 8), labels)
    assert "ignore_index = -100" in match.attributes
    assert 'reduction = "mean"' in match.attributes


@pytest.mark.parametrize("labels", [dxir.f32[4, 8], dxir.i32[4]])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_the_op_of_that_name_is_found_where_it_is_expanded(
    recognize: Any, labels: dxir.TensorType, reduction: str
) -> None:
    builder = dxir.Builder("main")
    x, y = builder.param(dxir.f32[4, 8]), builder.param(labels)
    program = dxir.lower(builder.build(ops.cross_entropy(x, y, reduction=reduction)))
    (match,) = recognize(program.run_passes("dxir-decompose"))
    assert match.pattern == "cross_entropy"
    assert f'negated = true, {"" if labels.rank == 2 else ZERO}reduction = "{reduction}"' in (
        match.attributes
    )


ZERO = 'out_of_range = "zero", '


def test_the_loss_of_the_llama_decoder_is_one_match_of_four_nodes() -> None:
    spec = importlib.util.spec_from_file_location("llama_of_cross_entropy", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    case = json.loads(example.CASE.read_text())
    layer = example.decoder_layer(case["configs"]["tiny"], case["params"])
    coarse = dxir.lower(layer).run_passes("dxir-recognize{patterns=cross_entropy},dxir-coarsen")
    text = str(coarse)
    assert text.count('composite "dxir.cross_entropy"') == 1
    stated = attributes("sum", "log(softmax)", "false")
    assert f"{{composite_attributes = {{{stated}}}" in text
    body = text.partition("@dxir.cross_entropy(")[2].partition("}\n")[0]
    assert body.count("stablehlo.") - body.count("stablehlo.constant") - 1 == 4


def spread_labels(x: Any, y: Any) -> Any:
    return -jnp.sum(y[0] * nn.log_softmax(x), axis=-1)


def another_axis(x: Any, y: Any) -> Any:
    return -jnp.sum(y * nn.log_softmax(x), axis=0)


def wrong_count(x: Any, y: Any) -> Any:
    return -jnp.sum(y * nn.log_softmax(x)) / 5


def mean_of_everything(x: Any, y: Any) -> Any:
    return jnp.mean(-jnp.sum(y * nn.log_softmax(x), axis=-1, keepdims=True) * jnp.ones((1, 2)))


def squared(x: Any, y: Any) -> Any:
    return -jnp.sum(y * nn.log_softmax(x) ** 2, axis=-1)


def added(x: Any, y: Any) -> Any:
    return -jnp.sum(y + nn.log_softmax(x), axis=-1)


def entropy(x: Any, y: Any) -> Any:
    del y
    shares = nn.softmax(x)
    return -jnp.sum(shares * jnp.log(shares), axis=-1)


@pytest.mark.parametrize("what", [another_axis, squared, added, entropy])
def test_what_only_looks_like_it_is_not_it(what: Loss) -> None:
    matches = found_in(what, random(6, 6), np.abs(random(6, 6)))
    assert [m.pattern for m in matches if m.pattern == "cross_entropy"] == []


def test_a_mean_over_another_number_of_rows_is_something_divided_by_it() -> None:
    (match,) = found_in(wrong_count, random(6, 8), np.abs(random(6, 8)))
    assert match.attributes == attributes("sum")
    (match,) = found_in(mean_of_everything, random(6, 8), np.abs(random(6, 8)))
    assert "keepdims = true" in match.attributes


def test_the_same_labels_for_each_row_are_handed_in_for_each_row() -> None:
    (match,) = found_in(spread_labels, random(6, 8), np.abs(random(6, 8)))
    assert match.operands == ("tensor<6x8xf32>",) * 2


def rows_of_another(x: Any, y: Any) -> Any:
    return -nn.log_softmax(x)[jnp.flip(jnp.arange(x.shape[0])), y]


def one_row(x: Any, y: Any) -> Any:
    return -nn.log_softmax(x)[0, y]


def along_the_rows(x: Any, y: Any) -> Any:
    return -jnp.take_along_axis(nn.log_softmax(x), y[None], axis=0)[0]


def less_the_first(x: Any, y: Any) -> Any:
    del y
    return nn.logsumexp(x, axis=-1) - x[:, 0]


def less_that_of_another(x: Any, y: Any) -> Any:
    right = jnp.take_along_axis(jnp.sin(x), y[:, None], axis=-1)[:, 0]
    return nn.logsumexp(x, axis=-1) - right


@pytest.mark.parametrize(
    "what", [rows_of_another, one_row, along_the_rows, less_the_first, less_that_of_another]
)
def test_what_only_picks_like_it_is_not_it(what: Loss) -> None:
    matches = found_in(what, random(6, 6), np.array([0, 5, 3, 1, 2, 4], np.int32))
    assert [m.pattern for m in matches if m.pattern == "cross_entropy"] == []


def test_a_loss_that_is_used_in_several_ways_is_given_to_its_users() -> None:
    def both(x: Any, y: Any) -> Any:
        logs = nn.log_softmax(x)
        return -jnp.mean(jnp.take_along_axis(logs, y[:, None], axis=-1)), logs

    program = lowered(both, random(4, 8), np.array([0, 1, 2, 3], np.int32))
    matches = found(program, random(4, 8), np.array([0, 1, 2, 3], np.int32))
    assert [m.pattern for m in matches].count("cross_entropy") == 1


def test_the_gradient_of_a_loss_is_the_program_still() -> None:
    gradient = jax.grad(lambda x, y: jnp.mean(one_hot(x, y)))
    assert found_in(gradient, random(4, 8), np.array([0, 1, 2, 3], np.int32)) is not None
