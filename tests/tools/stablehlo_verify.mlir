// What StableHLO's verifier says about ops that contradict themselves.
//
// RUN: stablehlo-opt %s -verify-diagnostics -split-input-file

// expected-note @+1 {{prior use here}}
func.func @operand_types(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{use of value '%b' expects different type than prior uses: 'tensor<2x3xf32>' vs 'tensor<3x2xf32>'}}
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @contracted_sizes(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{contracting dimension sizes must match for lhs/rhs}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @number_of_elements(%a: tensor<2x3xf32>) -> tensor<7xf32> {
  // expected-error@+1 {{number of output elements (7) doesn't match expected number of elements (6)}}
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @transposed_shape(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+2 {{inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@+1 {{'stablehlo.transpose' op failed to infer returned types}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @broadcast_of_another_size(%a: tensor<3xf32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{size of operand dimension 0 (3) is not equal to 1 or size of result dimension 1 (4)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @concatenation_of_other_rows(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error@+2 {{shapes of operand (0) and (1) are not compatible at non-concat index 1: (2, 3) != (2, 4)}}
  // expected-error@+1 {{op failed to infer returned types}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @slice_past_the_end(%a: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error-re@+2 {{limit index {{[0-9]+}} is larger than dimension size 4 in dimension {{0$}}}}
  // expected-error@+1 {{failed to infer}}
  %0 = stablehlo.slice %a [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @start_of_another_type(%a: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  // expected-error@+1 {{is expected to be promotable from the op's corresponding init-value element-type: 'tensor<f32>' vs 'tensor<i32>'}}
  %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @not_of_floats(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error-re@+1 {{'stablehlo.not' op operand #0 must be {{.*}}bool or {{.*}}integer values{{.*}}, but got 'tensor<4xf32>'}}
  %0 = stablehlo.not %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @select_by_fewer(%p: tensor<2xi1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{requires the same shape for all operands}}
  // expected-error@below {{op failed to infer returned types}}
  %0 = stablehlo.select %p, %a, %a : tensor<2xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @iota_beyond_the_rank() -> tensor<4xf32> {
  %0 = stablehlo.iota dim = 1 : tensor<4xf32>
  // expected-error@above {{iota dimension cannot go beyond the output rank.}}
  return %0 : tensor<4xf32>
}

// -----

func.func @condition_that_is_none(%a: tensor<i32>) -> tensor<i32> {
  // expected-error@+1 {{expect condition block return a zero-ranked tensor of i1 but got 'tensor<i32>'}}
  %0 = stablehlo.while(%x = %a) : tensor<i32>
    cond {
      stablehlo.return %x : tensor<i32>
    } do {
      stablehlo.return %x : tensor<i32>
    }
  return %0 : tensor<i32>
}

// -----

func.func @composite_without_decomposition(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'gone' does not reference a valid function}}
  %0 = stablehlo.composite "acme.scale" %a {decomposition = @gone} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_such_op(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{custom op 'stablehlo.sinh' is unknown}}
  %0 = stablehlo.sinh %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @kernel_of_other_channels(%a: tensor<1x8x8x3xf32>, %w: tensor<3x3x4x5xf32>) -> tensor<1x6x6x5xf32> {
  // expected-error@+1 {{expects input feature dimension (3) / feature_group_count = kernel input feature dimension (4)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x4x5xf32>) -> tensor<1x6x6x5xf32>
  return %0 : tensor<1x6x6x5xf32>
}
