"""Rules about numbers: as front ends write their faults, what only looks like one, and repairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.verify.checking import check, found_by
from dxir.verify.finding import Finding
from dxir.verify.reading import read
from dxir.verify.rule import all_rules
from dxir.verify.settings import Settings
from dxir.verify.subject import Source, Subject

SETTINGS = Settings(only=("numerics-*",))

SUM = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
"""


def subject_of(text: str) -> Subject:
    found = read(Source("given.mlir", text.encode()), ())
    assert not isinstance(found, Finding), found.message
    return found


def found(text: str) -> list[tuple[str, str]]:
    """The rules about numbers that find something, without their family, and how bad it is."""
    findings = check(subject_of(text), SETTINGS).findings
    return [(f.rule.removeprefix("numerics-"), f.severity) for f in findings]


def main(arguments: str, body: str, result: str, returned: str, more: str = "") -> str:
    text = f"func.func @main({arguments}) -> {result} {{{SUM}{body}\n  return {returned} : {result}"
    return f"{text}\n}}\n{more}"


WHERE = """
func.func private @_where(%c: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
  return %0 : tensor<f32>
}
"""

MEAN_SQUARES = """
  %x32 = stablehlo.convert %x : (tensor<2x8xbf16>) -> tensor<2x8xf32>
  %n = stablehlo.constant dense<8.0> : tensor<2x1xf32>
  %s = stablehlo.reduce(%x32 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  %s1 = stablehlo.reshape %s : (tensor<2xf32>) -> tensor<2x1xf32>
  %mean = stablehlo.divide %s1, %n : tensor<2x1xf32>
  %xx = chlo.square %x32 : tensor<2x8xf32> -> tensor<2x8xf32>
  %q = stablehlo.reduce(%xx init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  %q1 = stablehlo.broadcast_in_dim %q, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
  %mean2 = stablehlo.divide %q1, %n : tensor<2x1xf32>
  %mm = stablehlo.multiply %mean, %mean : tensor<2x1xf32>
  %var = stablehlo.subtract %mean2, %mm : tensor<2x1xf32>
"""

LOGITS = """
  %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0]
    : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %m1 = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %m2 = stablehlo.broadcast_in_dim %m1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
  %d = stablehlo.subtract %x, %m2 : tensor<8x4xf32>
  %e = stablehlo.exponential %d : tensor<8x4xf32>
"""


def shares(of: str) -> str:
    return f"""
  %t = stablehlo.reduce({of} init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  %t1 = stablehlo.reshape %t : (tensor<4xf32>) -> tensor<1x4xf32>
  %t2 = stablehlo.broadcast_in_dim %t1, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
  %p = stablehlo.divide {of}, %t2 : tensor<8x4xf32>
"""


COUNT = """
  %ones = stablehlo.convert %m : (tensor<8xi1>) -> tensor<8xi32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.reduce(%ones init: %none) applies stablehlo.add across dimensions = [0]
    : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  %count = stablehlo.convert %c : (tensor<i32>) -> tensor<f32>
"""

FAULTS = {
    "a maximum that starts from 0": (
        "reduction-init",
        main("%x: tensor<4xf32>", """
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>""", "tensor<f32>", "%0"),
    ),
    "a window's sum that starts from 5, converted": (
        "reduction-init",
        main("%x: tensor<4xf32>", """
  %i = stablehlo.constant dense<5> : tensor<i32>
  %five = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %five) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>""", "tensor<3xf32>", "%0"),
    ),
    "a conjunction of bits that starts from 1, not from all ones": (
        "reduction-init",
        main("%x: tensor<4xi32>", """
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.and across dimensions = [0]
    : (tensor<4xi32>, tensor<i32>) -> tensor<i32>""", "tensor<i32>", "%0"),
    ),
    "a maximum by a selection, in two operands, that starts from 0": (
        "reduction-init",
        main("%x: tensor<4xi32>, %y: tensor<4xi32>", """
  %none = stablehlo.constant dense<7> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %none), (%y init: %none) across dimensions = [0]
    : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %s = stablehlo.add %a, %b : tensor<i32>
      %t = stablehlo.add %i, %j : tensor<i32>
      stablehlo.return %s, %t : tensor<i32>, tensor<i32>
    }""", "tensor<i32>", "%0#0"),
    ),
    "a running sum of many f16": (
        "low-precision-accumulation",
        main("%x: tensor<4096xf16>", """
  %h = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = "stablehlo.reduce_window"(%x, %h) <{window_dimensions = array<i64: 4096>,
    padding = dense<[[4095, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %1 = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %1 : tensor<f16>
  }) : (tensor<4096xf16>, tensor<f16>) -> tensor<4096xf16>""", "tensor<4096xf16>", "%0"),
    ),
    "a product of tensors that is said to be summed in f16": (
        "low-precision-accumulation",
        main("%x: tensor<2x4096xf16>, %y: tensor<4096x2xf16>", """
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <
    lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f16,
    lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
    allow_imprecise_accumulation = false>
    : (tensor<2x4096xf16>, tensor<4096x2xf16>) -> tensor<2x2xf16>""", "tensor<2x2xf16>", "%0"),
    ),
    "a mask counted in i8": (
        "narrow-integer-sum",
        main("%m: tensor<200xi1>", """
  %none = stablehlo.constant dense<0> : tensor<i8>
  %ones = stablehlo.convert %m : (tensor<200xi1>) -> tensor<200xi8>
  %0 = stablehlo.reduce(%ones init: %none) applies stablehlo.add across dimensions = [0]
    : (tensor<200xi8>, tensor<i8>) -> tensor<i8>""", "tensor<i8>", "%0"),
    ),
    "a product of quantized values in i8": (
        "narrow-integer-sum",
        main("%x: tensor<2x8xi8>, %y: tensor<8x2xi8>", """
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<2x8xi8>, tensor<8x2xi8>) -> tensor<2x2xi8>""", "tensor<2x2xi8>", "%0"),
    ),
    "a variance of bf16 in one pass, with its axis kept": (
        "one-pass-variance",
        main("%x: tensor<2x8xbf16>", MEAN_SQUARES, "tensor<2x1xf32>", "%var"),
    ),
    "the logarithm of a softmax along the first axis": (
        "log-softmax",
        main("%x: tensor<8x4xf32>", LOGITS + shares("%e") + """
  %0 = stablehlo.log %p : tensor<8x4xf32>""", "tensor<8x4xf32>", "%0"),
    ),
    "a softmax without a shift, of scaled values": (
        "unshifted-softmax",
        main("%x: tensor<8x4xf32>", """
  %k = stablehlo.constant dense<0.125> : tensor<8x4xf32>
  %y = stablehlo.multiply %x, %k : tensor<8x4xf32>
  %e = stablehlo.exponential %y : tensor<8x4xf32>""" + shares("%e"), "tensor<8x4xf32>", "%p"),
    ),
    "a softmax without a shift, of what a mask keeps": (
        "unshifted-softmax",
        main("%x: tensor<8x4xf32>, %m: tensor<8x4xi1>", """
  %zeros = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %k = stablehlo.exponential %x : tensor<8x4xf32>
  %e = stablehlo.select %m, %k, %zeros : tensor<8x4xi1>, tensor<8x4xf32>""" + shares("%e"),
             "tensor<8x4xf32>", "%p"),
    ),
    "an attention that divides last, by powers without a shift": (
        "unshifted-softmax",
        main("%x: tensor<8x4xf16>, %v: tensor<4x3xf16>", """
  %h = stablehlo.constant dense<0.0> : tensor<f16>
  %e = stablehlo.exponential %x : tensor<8x4xf16>
  %o = stablehlo.dot_general %e, %v, contracting_dims = [1] x [0]
    : (tensor<8x4xf16>, tensor<4x3xf16>) -> tensor<8x3xf16>
  %s = stablehlo.reduce(%e init: %h) applies stablehlo.add across dimensions = [1]
    : (tensor<8x4xf16>, tensor<f16>) -> tensor<8xf16>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<8xf16>) -> tensor<8x3xf16>
  %0 = stablehlo.divide %o, %t : tensor<8x3xf16>""", "tensor<8x3xf16>", "%0"),
    ),
    "a mean by weights that may all be 0": (
        "masked-division",
        main("%x: tensor<8xf32>, %w: tensor<8xf32>", """
  %p = stablehlo.multiply %w, %x : tensor<8xf32>
  %a = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.divide %a, %b : tensor<f32>""", "tensor<f32>", "%0"),
    ),
    "a softmax without a shift, in a loop": (
        "unshifted-softmax",
        main("%x: tensor<8x4xf32>", """
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%a = %i, %b = %x) : tensor<i32>, tensor<8x4xf32>
    cond {
      %1 = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %a, %one : tensor<i32>
      %e = stablehlo.exponential %b : tensor<8x4xf32>""" + shares("%e") + """
      stablehlo.return %next, %p : tensor<i32>, tensor<8x4xf32>
    }""", "tensor<8x4xf32>", "%0#1"),
    ),
    "a logsumexp without a shift, inside of a composite": (
        "unshifted-softmax",
        main("%x: tensor<8x4xf32>", """
  %0 = stablehlo.composite "acme.lse" %x {decomposition = @lse}
    : (tensor<8x4xf32>) -> tensor<8xf32>""", "tensor<8xf32>", "%0", """
func.func private @lse(%x: tensor<8x4xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<8x4xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.log %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}"""),
    ),
    "a softplus as it is written": (
        "softplus-overflow",
        main("%x: tensor<4xf32>", """
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %e = stablehlo.exponential %x : tensor<4xf32>
  %s = stablehlo.add %ones, %e : tensor<4xf32>
  %0 = stablehlo.log %s : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    ),
    "a tanh made of exponentials": (
        "exponential-ratio",
        main("%x: tensor<4xf32>", """
  %n = stablehlo.negate %x : tensor<4xf32>
  %a = stablehlo.exponential %x : tensor<4xf32>
  %b = stablehlo.exponential %n : tensor<4xf32>
  %d = stablehlo.subtract %a, %b : tensor<4xf32>
  %s = stablehlo.add %a, %b : tensor<4xf32>
  %0 = stablehlo.divide %d, %s : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    ),
    "the logarithm of a logistic function, spelled out": (
        "log-sigmoid",
        main("%x: tensor<4xf32>", """
  %ones = stablehlo.constant dense<1.0> : tensor<4xf32>
  %n = stablehlo.negate %x : tensor<4xf32>
  %e = stablehlo.exponential %n : tensor<4xf32>
  %s = stablehlo.add %e, %ones : tensor<4xf32>
  %p = stablehlo.divide %ones, %s : tensor<4xf32>
  %0 = stablehlo.log %p : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    ),
    "1 less an error function that is converted": (
        "erf-cancellation",
        main("%x: tensor<4xbf16>", """
  %one = stablehlo.constant dense<1.0> : tensor<bf16>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
  %w = stablehlo.convert %x : (tensor<4xbf16>) -> tensor<4xf32>
  %e = chlo.erf %w : tensor<4xf32> -> tensor<4xf32>
  %r = stablehlo.convert %e : (tensor<4xf32>) -> tensor<4xbf16>
  %0 = stablehlo.subtract %ones, %r : tensor<4xbf16>""", "tensor<4xbf16>", "%0"),
    ),
    "a mean by a mask that is counted in integers": (
        "masked-division",
        main("%x: tensor<f32>, %m: tensor<8xi1>", COUNT + """
  %0 = stablehlo.divide %x, %count : tensor<f32>""", "tensor<f32>", "%0"),
    ),
    "a mask that guards a quotient, multiplied with it": (
        "zero-times",
        main("%x: tensor<4xf32>, %y: tensor<4xf32>", """
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %m = stablehlo.compare NE, %y, %zeros : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %w = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xf32>
  %q = stablehlo.divide %x, %y : tensor<4xf32>
  %0 = stablehlo.multiply %w, %q : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    ),
    "an entropy of probabilities": (
        "x-log-x",
        main("%x: tensor<8x4xf32>", LOGITS + shares("%e") + """
  %c = stablehlo.convert %p : tensor<8x4xf32>
  %eps = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %p2 = stablehlo.add %c, %eps : tensor<8x4xf32>
  %l = stablehlo.log %p2 : tensor<8x4xf32>
  %0 = stablehlo.multiply %l, %p2 : tensor<8x4xf32>""", "tensor<8x4xf32>", "%0"),
    ),
    "a descending sort of bf16 with what goes with it": (
        "nan-order",
        main("%x: tensor<4xbf16>, %y: tensor<4xi32>", """
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xbf16>, tensor<4xi32>) -> (tensor<4xbf16>, tensor<4xi32>)""",
             "tensor<4xi32>", "%0#1"),
    ),
    "an argmin of integers that takes any of equal elements": (
        "argmax-order",
        main("%x: tensor<4xi32>", """
  %top = stablehlo.constant dense<2147483647> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %0:2 = stablehlo.reduce(%x init: %top), (%i init: %none) across dimensions = [0]
    : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%a: tensor<i32>, %b: tensor<i32>) (%j: tensor<i32>, %k: tensor<i32>) {
      %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %v = stablehlo.minimum %a, %b : tensor<i32>
      %p = stablehlo.select %less, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %v, %p : tensor<i32>, tensor<i32>
    }""", "tensor<i32>", "%0#1"),
    ),
    "rows gathered by ui8 from more than there are": (
        "narrow-index",
        main("%x: tensor<300x2xf32>, %i: tensor<4x1xui8>", """
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
    offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>}> : (tensor<300x2xf32>, tensor<4x1xui8>) -> tensor<4x2xf32>""",
             "tensor<4x2xf32>", "%0"),
    ),
    "positions converted to bf16": (
        "inexact-positions",
        main("", """
  %i = stablehlo.iota dim = 0 : tensor<4096xi32>
  %0 = stablehlo.convert %i : (tensor<4096xi32>) -> tensor<4096xbf16>""",
             "tensor<4096xbf16>", "%0"),
    ),
    "rows gathered by constants that are outside": (
        "constant-index-out-of-range",
        main("%x: tensor<4x2xf32>", """
  %i = stablehlo.constant dense<[0, -5, 3, 100]> : tensor<4xi32>
  %j = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<
    offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>}> : (tensor<4x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>""",
             "tensor<4x2xf32>", "%0"),
    ),
    "a remainder by 0, which is computed": (
        "constant-division-by-zero",
        main("%x: tensor<4xi32>", """
  %a = stablehlo.constant dense<3> : tensor<4xi32>
  %b = stablehlo.subtract %a, %a : tensor<4xi32>
  %0 = stablehlo.remainder %x, %b : tensor<4xi32>""", "tensor<4xi32>", "%0"),
    ),
    "the least f32 as a mask in bf16": (
        "lossy-constant",
        main("%x: tensor<4xbf16>, %m: tensor<4xi1>", """
  %k = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
  %c = stablehlo.convert %k : (tensor<f32>) -> tensor<bf16>
  %f = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<bf16>) -> tensor<4xbf16>
  %0 = stablehlo.select %m, %x, %f : tensor<4xi1>, tensor<4xbf16>""", "tensor<4xbf16>", "%0"),
    ),
    "a byte that does not hold a number": (
        "lossy-constant",
        main("", """
  %k = stablehlo.constant dense<[1, 300]> : tensor<2xi32>
  %0 = stablehlo.convert %k : (tensor<2xi32>) -> tensor<2xi8>""", "tensor<2xi8>", "%0"),
    ),
    "an epsilon that is 0 in f16": (
        "lossy-constant",
        main("%x: tensor<f16>", """
  %k = stablehlo.constant dense<1.0e-8> : tensor<f32>
  %c = stablehlo.convert %k : (tensor<f32>) -> tensor<f16>
  %0 = stablehlo.add %x, %c : tensor<f16>""", "tensor<f16>", "%0"),
    ),
    "a deviation with nothing added to its variance": (
        "missing-epsilon",
        main("%x: tensor<2x8xf32>, %mean: tensor<2x1xf32>", """
  %m = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x8xf32>
  %d = stablehlo.subtract %x, %m : tensor<2x8xf32>
  %dd = stablehlo.multiply %d, %d : tensor<2x8xf32>
  %n = stablehlo.constant dense<8.0> : tensor<2xf32>
  %s = stablehlo.reduce(%dd init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  %v = stablehlo.divide %s, %n : tensor<2xf32>
  %0 = stablehlo.rsqrt %v : tensor<2xf32>""", "tensor<2xf32>", "%0"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_as_front_ends_write_it(name: str) -> None:
    rule, text = FAULTS[name]
    assert {each for each, _ in found(text)} == {rule}


SOUND = {
    "a maximum of magnitudes that starts from 0": main("%x: tensor<4xf32>", """
  %a = stablehlo.abs %x : tensor<4xf32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>""", "tensor<f32>", "%0"),
    "a conjunction of truth values that starts from true": main("%x: tensor<4xi1>", """
  %t = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %t) applies stablehlo.and across dimensions = [0]
    : (tensor<4xi1>, tensor<i1>) -> tensor<i1>""", "tensor<i1>", "%0"),
    "a conjunction of bytes that starts from all ones": main("%x: tensor<4xui8>", """
  %t = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.reduce(%x init: %t) applies stablehlo.and across dimensions = [0]
    : (tensor<4xui8>, tensor<ui8>) -> tensor<ui8>""", "tensor<ui8>", "%0"),
    "a sum of bf16 that is made in f32": main("%x: tensor<1000xbf16>", """
  %k = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %k) across dimensions = [0]
    : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>
    reducer(%a: tensor<bf16>, %b: tensor<bf16>) {
      %c = stablehlo.convert %a : (tensor<bf16>) -> tensor<f32>
      %d = stablehlo.convert %b : (tensor<bf16>) -> tensor<f32>
      %e = stablehlo.add %c, %d : tensor<f32>
      %f = stablehlo.convert %e : (tensor<f32>) -> tensor<bf16>
      stablehlo.return %f : tensor<bf16>
    }""", "tensor<bf16>", "%0"),
    "a maximum of many bf16": main("%x: tensor<1000xbf16>", """
  %k = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.maximum across dimensions = [0]
    : (tensor<1000xbf16>, tensor<bf16>) -> tensor<bf16>""", "tensor<bf16>", "%0"),
    "a difference of a mean of squares and another square": main(
        "%x: tensor<2x8xbf16>, %y: tensor<2x1xf32>",
        MEAN_SQUARES.replace("multiply %mean, %mean", "multiply %y, %y"),
        "tensor<2x1xf32>", "%var"),
    "the logarithm of a softmax with something added": main("%x: tensor<8x4xf32>", LOGITS
        + shares("%e") + """
  %eps = stablehlo.constant dense<1.0e-6> : tensor<8x4xf32>
  %q = stablehlo.add %p, %eps : tensor<8x4xf32>
  %0 = stablehlo.log %q : tensor<8x4xf32>""", "tensor<8x4xf32>", "%0"),
    "exponentials of what is no more than 0": main("%x: tensor<8x4xf32>", """
  %a = stablehlo.abs %x : tensor<8x4xf32>
  %n = stablehlo.negate %a : tensor<8x4xf32>
  %e = stablehlo.exponential %n : tensor<8x4xf32>""" + shares("%e"), "tensor<8x4xf32>", "%p"),
    "exponentials of what is capped": main("%x: tensor<8x4xf32>", """
  %a = stablehlo.tanh %x : tensor<8x4xf32>
  %k = stablehlo.constant dense<30.0> : tensor<8x4xf32>
  %n = stablehlo.multiply %a, %k : tensor<8x4xf32>
  %e = stablehlo.exponential %n : tensor<8x4xf32>""" + shares("%e"), "tensor<8x4xf32>", "%p"),
    "exponentials shifted by a maximum that is given": main(
        "%x: tensor<8x4xf32>, %top: tensor<4xf32>", """
  %t0 = stablehlo.broadcast_in_dim %top, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %n = stablehlo.subtract %x, %t0 : tensor<8x4xf32>
  %e = stablehlo.exponential %n : tensor<8x4xf32>""" + shares("%e"), "tensor<8x4xf32>", "%p"),
    "a softplus that is x above 20, by a call": main("%x: tensor<f32>", """
  %k = stablehlo.constant dense<20.0> : tensor<f32>
  %c = stablehlo.compare GT, %x, %k : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %e = stablehlo.exponential %x : tensor<f32>
  %l = stablehlo.log_plus_one %e : tensor<f32>
  %0 = func.call @_where(%c, %x, %l) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>""",
        "tensor<f32>", "%0", WHERE),
    "a logistic function of what is spelled out": main("%x: tensor<4xf32>", """
  %ones = stablehlo.constant dense<1.0> : tensor<4xf32>
  %n = stablehlo.negate %x : tensor<4xf32>
  %e = stablehlo.exponential %n : tensor<4xf32>
  %s = stablehlo.add %e, %ones : tensor<4xf32>
  %0 = stablehlo.divide %ones, %s : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    "a cross entropy of probabilities that are clipped": main("%x: tensor<4xf32>", """
  %lo = stablehlo.constant dense<1.0e-7> : tensor<f32>
  %hi = stablehlo.constant dense<0.9999999> : tensor<f32>
  %p = stablehlo.logistic %x : tensor<4xf32>
  %q = stablehlo.clamp %lo, %p, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.log %q : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    "a count that is 1 at least": main("%x: tensor<f32>, %m: tensor<8xi1>", COUNT + """
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.maximum %count, %one : tensor<f32>
  %0 = stablehlo.divide %x, %n : tensor<f32>""", "tensor<f32>", "%0"),
    "a quotient that is left out where nothing is counted": main(
        "%x: tensor<f32>, %m: tensor<8xi1>", COUNT + """
  %some = stablehlo.compare GT, %count, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %q = stablehlo.divide %x, %count : tensor<f32>
  %0 = func.call @_where(%some, %q, %zero) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
""", "tensor<f32>", "%0", WHERE),
    "the number of elements that are the maximum": main("%x: tensor<8xf32>", """
  %t = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.compare EQ, %x, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
""" + COUNT + """
  %0 = stablehlo.divide %t, %count : tensor<f32>""", "tensor<f32>", "%0"),
    "a mask multiplied with numbers": main("%x: tensor<4xf32>, %m: tensor<4xi1>", """
  %w = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xf32>
  %0 = stablehlo.multiply %w, %x : tensor<4xf32>""", "tensor<4xf32>", "%0"),
    "zero times an integer": main("%x: tensor<4xi32>", """
  %z = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.multiply %z, %x : tensor<4xi32>""", "tensor<4xi32>", "%0"),
    "a sort of floats by their bits": main("%x: tensor<4xf32>", """
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<i32>
    %2 = stablehlo.bitcast_convert %b : (tensor<f32>) -> tensor<i32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>""", "tensor<4xf32>", "%0"),
    "a sort by all that is sorted": main("%x: tensor<4xi32>, %y: tensor<4xi32>", """
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)""",
        "tensor<4xi32>", "%0#1"),
    "an i8 for a dimension of 128": main("%x: tensor<128xf32>, %i: tensor<i8>", """
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1]
    : (tensor<128xf32>, tensor<i8>) -> tensor<1xf32>""", "tensor<1xf32>", "%0"),
    "the last slice there is": main("%x: tensor<4xf32>", """
  %i = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3]
    : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>""", "tensor<3xf32>", "%0"),
    "256 positions in bf16": main("", """
  %0 = stablehlo.iota dim = 0 : tensor<257xbf16>""", "tensor<257xbf16>", "%0"),
    "a tenth in bf16, and the least of all in f16": main("", """
  %k = stablehlo.constant dense<0.1> : tensor<f32>
  %a = stablehlo.convert %k : (tensor<f32>) -> tensor<bf16>
  %b = stablehlo.convert %least : (tensor<f32>) -> tensor<f16>
  %c = stablehlo.convert %b : (tensor<f16>) -> tensor<bf16>
  %0 = stablehlo.add %a, %c : tensor<bf16>""", "tensor<bf16>", "%0"),
    "a value that is compared with itself": main("%x: tensor<4xf32>", """
  %0 = stablehlo.compare NE, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>""",
        "tensor<4xi1>", "%0"),
    "the logarithm of 1 and a count": main("%x: tensor<4xi32>", """
  %ones = stablehlo.constant dense<1.0> : tensor<4xf32>
  %n = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %s = stablehlo.add %n, %ones : tensor<4xf32>
  %0 = stablehlo.log %s : tensor<4xf32>""", "tensor<4xf32>", "%0"),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_what_only_looks_like_a_fault_is_left_alone(name: str) -> None:
    assert found(SOUND[name]) == []


def repaired(text: str) -> tuple[dxir.Program, dxir.Program]:
    """The program of a text, and the same with all that can be put right."""
    rules = {rule.id: rule for rule in SETTINGS.rules()}
    subject = subject_of(text)
    for finding in list(found_by(rules.values(), subject)):
        if finding.fixable:
            assert rules[finding.rule].repair(finding, subject)
    after = dxir.load(str(subject.module))
    assert not [f for f in check(subject_of(str(after)), SETTINGS).findings if f.fixable]
    return dxir.load(text), after


def run(program: dxir.Program, *given: Any) -> list[Any]:
    results = dxir.compile(program, "reference").run(given)
    return [np.asarray(r) for r in results]


def test_a_sum_that_starts_from_a_number_is_combined_with_it_once() -> None:
    _, after = repaired("""
func.func @main(%x: tensor<1000xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %k = stablehlo.constant dense<7.0> : tensor<f32>
  %j = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0]
    : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%y, %j) <{window_dimensions = array<i64: 3>,
    padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}""")
    given = np.ones(1000, np.float32), np.arange(1, 5, dtype=np.float32)
    for target in ("xla-cpu", "reference"):
        total, windows = dxir.compile(after, target).run(given)
        assert np.asarray(total) == 1007
        np.testing.assert_array_equal(np.asarray(windows), [16, 13, 11, 14])


@pytest.mark.parametrize(
    ("op", "init", "expected"),
    [("maximum", 3.0, 3.0), ("minimum", -2.0, -2.0), ("multiply", 2.0, 0.0)],
)
def test_whatever_combines_is_put_right(op: str, init: float, expected: float) -> None:
    text = main("%x: tensor<3xf32>, %y: tensor<2x3xi32>", f"""
  %k = stablehlo.constant dense<{init}> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.{op} across dimensions = [0]
    : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %i = stablehlo.constant dense<6> : tensor<i32>
  %w = "stablehlo.reduce_window"(%y, %i) <{{window_dimensions = array<i64: 2, 2>,
    base_dilations = array<i64: 1, 2>, padding = dense<[[0, 1], [-1, 2]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.{"and" if op == "minimum" else op} %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }}) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x5xi32>
  %s = stablehlo.reduce(%w init: %i) applies stablehlo.xor across dimensions = [0, 1]
    : (tensor<2x5xi32>, tensor<i32>) -> tensor<i32>
  %f = stablehlo.convert %s : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.complex %0, %f : tensor<complex<f32>>
""", "tensor<complex<f32>>", "%1")  # fmt: skip
    before, after = repaired(text)
    given = np.asarray([-1, 0, 2], np.float32), np.asarray([[3, 9, 4], [-1, 7, 12]], np.int32)
    (old,), (new,) = run(before, *given), run(after, *given)
    assert new.real == expected
    assert new == old


@pytest.mark.parametrize("element", ["i64", "ui64", "i32"])
def test_a_minimum_of_whole_numbers_starts_from_the_greatest_of_them(element: str) -> None:
    _, after = repaired(main(f"%x: tensor<2x{element}>", f"""
  %k = stablehlo.constant dense<5> : tensor<{element}>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.minimum across dimensions = [0]
    : (tensor<2x{element}>, tensor<{element}>) -> tensor<{element}>""",
        f"tensor<{element}>", "%0"))  # fmt: skip
    whole = np.dtype({"i64": "int64", "ui64": "uint64", "i32": "int32"}[element])
    assert [int(run(after, np.asarray(x, whole))[0]) for x in ([7, 9], [7, 3])] == [5, 3]


@pytest.mark.parametrize(
    ("given", "count", "result", "told"),
    [
        ("i4", 64, "i16", None),
        ("ui4", 1, "ui8", None),
        ("i8", 1, "i8", None),
        (
            "i8",
            2,
            "i16",
            "2 products of up to 16384 are added up in i16, which holds ",
        ),
        ("i8", 9, "i32", None),
    ],
)
def test_products_are_added_up_in_what_may_hold_them(
    given: str, count: int, result: str, told: str | None
) -> None:
    x, r = f"tensor<{count}x{given}>", f"tensor<{result}>"
    text = main(f"%x: {x}, %y: {x}", f"""
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : ({x}, {x}) -> {r}
""", r, "%0")  # fmt: skip
    messages = [f.message for f in check(subject_of(text), SETTINGS).findings]
    assert len(messages) == (told is not None)
    assert all(told is not None and m.startswith(told) for m in messages)


SORTED = """
func.func @main(%x: tensor<3xT>, %k: tensor<T>) -> (tensor<3xT>, tensor<T>) {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<T>, %b: tensor<T>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<T>, tensor<T>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<3xT>) -> tensor<3xT>
  %1 = stablehlo.reduce(%x init: %k) applies stablehlo.maximum across dimensions = [0]
    : (tensor<3xT>, tensor<T>) -> tensor<T>
  return %0, %1 : tensor<3xT>, tensor<T>
}"""


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("!quant.uniform<i8:f32, 0.5:3>", []),
        ("f4E2M1FN", []),
        ("f8E4M3FN", [("nan-order", "warning")]),
    ],
)
def test_quantized_numbers_and_floats_without_nan_have_no_place_for_it(
    element: str, expected: list[tuple[str, str]]
) -> None:
    assert found(SORTED.replace("T>", f"{element}>")) == expected


TAILS = np.asarray([-40, -6, -4, -0.5, -1e-8, 0, 1e-8, 0.5, 4, 6, 40, np.inf, -np.inf], np.float32)


@pytest.mark.parametrize(
    ("body", "exact"),
    [
        ("%0 = stablehlo.subtract %ones, %e", "erfc"),
        ("%0 = stablehlo.add %e, %ones", "erfc of minus"),
        ("%p = stablehlo.exponential %x : T\n%0 = stablehlo.subtract %p, %ones", "expm1"),
        ("%p = stablehlo.add %ones, %x : T\n%0 = stablehlo.log %p", "log1p"),
    ],
)
def test_what_cancels_is_replaced_by_what_does_not(body: str, exact: str) -> None:
    import math

    of = {
        "erfc": math.erfc,
        "erfc of minus": lambda v: math.erfc(-v),
        "expm1": lambda v: np.expm1(np.float64(v)),
        "log1p": lambda v: np.log1p(np.float64(v)),
    }[exact]
    n = len(TAILS)
    text = main(f"%x: tensor<{n}xf32>", f"""
  %ones = stablehlo.constant dense<1.0> : T
  %e = chlo.erf %x : T -> T
  {body} : T""".replace("T", f"tensor<{n}xf32>"), f"tensor<{n}xf32>", "%0")  # fmt: skip
    before, after = repaired(text)
    (old,), (new,) = run(before, TAILS), run(after, TAILS)
    with np.errstate(all="ignore"):
        right = np.asarray([of(v) for v in TAILS.tolist()]).astype(np.float32)
    assert new.dtype == old.dtype
    np.testing.assert_allclose(new, right, rtol=1e-5)
    differs = ~np.isclose(old, right, rtol=1e-5, atol=0, equal_nan=True)
    assert differs.any(), "nothing was wrong before"


@pytest.mark.parametrize("direction", ["LT", "GT"])
def test_a_sort_is_repaired_to_rank_nan_last_and_to_change_nothing_else(direction: str) -> None:
    text = main("%x: tensor<8xf32>, %y: tensor<8xi32>", f"""
  %0:2 = "stablehlo.sort"(%x, %y) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare {direction}, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }}) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)""",
        "tensor<8xi32>", "%0#1")  # fmt: skip
    before, after = repaired(text)
    places = np.arange(8, dtype=np.int32)
    plain = np.asarray([0.0, -0.0, 3, np.inf, -1, 3, -np.inf, 0.0], np.float32)
    (old,), (new,) = run(before, plain, places), run(after, plain, places)
    np.testing.assert_array_equal(new, old)
    hostile = np.asarray([1, np.nan, 3, 3, 2, np.inf, -np.nan, -0.0], np.float32)
    (ranked,) = run(after, hostile, places)
    expected = [7, 0, 4, 2, 3, 5, 1, 6] if direction == "LT" else [1, 6, 5, 2, 3, 4, 0, 7]
    assert ranked.tolist() == expected


def test_equal_elements_keep_their_order_once_the_comparison_is_strict() -> None:
    text = main("%x: tensor<5xi32>", """
  %i = stablehlo.iota dim = 0 : tensor<5xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)""",
        "tensor<5xi32>", "%0#1")  # fmt: skip
    assert {rule for rule, _ in found(text)} == {"sort-ties", "unstable-sort"}
    _, after = repaired(text)
    (order,) = run(after, np.asarray([1, 3, 3, 2, 3], np.int32))
    assert order.tolist() == [1, 2, 4, 3, 0]


@pytest.mark.parametrize(
    ("element", "given", "expected"),
    [
        ("f32", [1, np.nan, 3, 3, 2], 1),
        ("f32", [1, 3, 3, 2, 3], 1),
        ("bf16", [np.nan] * 5, 0),
        ("f32", [-np.inf] * 5, 0),
    ],
)
def test_an_argmax_is_repaired_to_give_the_first_nan_or_the_first_maximum(
    element: str, given: Sequence[float], expected: int
) -> None:
    rule = all_rules()["numerics-argmax-order"]
    _, after = repaired(rule.faulty.replace("0xFF800000", "-1.0e38").replace("f32", element))
    numpy = np.float32 if element == "f32" else ml_dtypes.bfloat16
    (place,) = run(after, np.asarray(given, numpy))
    assert int(place) == expected


def test_a_selection_by_labels_guards_nothing() -> None:
    body = """
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %p = stablehlo.logistic %x : tensor<4xf32>
  %rest = stablehlo.subtract %one, %p : tensor<4xf32>
  %yes = stablehlo.log %rest : tensor<4xf32>
  %small = stablehlo.compare LT, %x, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = stablehlo.select FLAG, %yes, %x : tensor<4xi1>, tensor<4xf32>"""
    given, result = "%x: tensor<4xf32>, %label: tensor<4xi1>", "tensor<4xf32>"
    by_label = main(given, body.replace("FLAG", "%label"), result, "%0")
    assert ("log-sigmoid", "warning") in found(by_label)
    assert found(main(given, body.replace("FLAG", "%small"), result, "%0")) == []


def test_a_masked_softmax_as_jax_writes_it_is_noted() -> None:
    body = """
  %leasts = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %kept = stablehlo.select %mask, %x, %leasts : tensor<4xi1>, tensor<4xf32>
  %most = stablehlo.reduce(%kept init: %least) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %top = stablehlo.maximum %least, %most : tensor<f32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %shifted = stablehlo.subtract %kept, %tops : tensor<4xf32>
  %0 = stablehlo.exponential %shifted : tensor<4xf32>"""
    text = main("%x: tensor<4xf32>, %mask: tensor<4xi1>", body, "tensor<4xf32>", "%0")
    assert ("all-masked-softmax", "note") in found(text)


def test_a_promise_that_does_not_hold_is_taken_back() -> None:
    before, after = repaired(all_rules()["numerics-false-index-promise"].faulty)
    assert before.op_counts() == after.op_counts()
    (rows,) = run(after, np.arange(4, dtype=np.float32))
    assert rows.tolist() == [2, 0, 1]


def test_the_greatest_index_of_64_bits_is_not_taken_for_minus_one() -> None:
    text = main("%x: tensor<4xf32>", """
  %i = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xf32>, tensor<ui64>) -> tensor<1xf32>
""", "tensor<1xf32>", "%0")  # fmt: skip
    (finding,) = check(subject_of(text), SETTINGS).findings
    assert finding.message.startswith("the index 18446744073709551615 is outside")
    assert finding.message.endswith("3 is taken for it")


def test_numbers_and_options_are_told() -> None:
    rule = all_rules()["numerics-low-precision-accumulation"]
    assert found(rule.faulty.replace("1000", "200")) == [("low-precision-accumulation", "note")]
    assert found(rule.faulty.replace("1000", "32")) == []
    settings = Settings(only=(rule.id,), options={rule.id: {"limit": 100}})
    (finding,) = check(subject_of(rule.faulty.replace("1000", "200")), settings).findings
    assert finding.numbers == {"elements": 200, "limit": 100}
    assert "200 elements are added up in bf16" in finding.message


@pytest.mark.parametrize(
    ("element", "told"),
    [
        ("f32", ["1e-8", "1e-8", "x = 4 on, where 1.5e-8", "x = 17 on"]),
        ("bf16", ["1e-8", "1e-8", "x = 4 on, where 1.5e-8", "x = 6 on"]),
        ("f16", ["1e-4", "1e-4", "x = 3 on, where 2.2e-5", "x = 8 on"]),
        ("f64", ["1e-17", "1e-17", "x = 6 on, where 2.2e-17", "x = 37 on"]),
    ],
)
def test_the_numbers_that_are_told_are_those_of_the_element_type(
    element: str, told: list[str]
) -> None:
    text = main("%x: T", """
  %one = stablehlo.constant dense<1.0> : T
  %p = stablehlo.exponential %x : T
  %0 = stablehlo.subtract %p, %one : T
  %s = stablehlo.add %x, %one : T
  %1 = stablehlo.log %s : T
  %e = chlo.erf %x : T -> T
  %2 = stablehlo.subtract %one, %e : T
  %g = stablehlo.logistic %x : T
  %r = stablehlo.subtract %one, %g : T
  %3 = stablehlo.log %r : T
  %4 = stablehlo.add %0, %1 : T
  %5 = stablehlo.add %2, %3 : T
  %6 = stablehlo.add %4, %5 : T""", "T", "%6").replace("T", f"tensor<4x{element}>")  # fmt: skip
    findings = check(subject_of(text), SETTINGS).findings
    for finding, number in zip(findings, told, strict=True):
        assert number in finding.message
