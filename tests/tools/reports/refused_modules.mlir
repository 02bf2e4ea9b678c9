// jax#40486, SKaiNET#620, #518, #673, #663, iree#14837, stablehlo#2817, #508, #491, Reactant.jl#331:
// wrong modules of emitters, each refused at its op.
//
// RUN: dxir-opt %s -split-input-file -verify-diagnostics
// RUN: not dxir-translate --serialize %s -split-input-file -o %t.bc 2>&1 | FileCheck %s

// CHECK: error: {{.*}}has 1 operand(s), but decomposition has 2
// CHECK: note: {{.*}}pass captured values as operands
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has 1 operand(s), but decomposition has 2}}
  %0 = stablehlo.composite "my.square" %x {decomposition = @sq} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @sq(%b: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.multiply %x, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK: error: use of value '%w' expects different type than prior uses
// CHECK: note: prior use here
// expected-note @+1 {{prior use here}}
func.func @main(%x: tensor<1x1xf32>, %w: tensor<1x16xf32>) -> tensor<1x16xf32> {
  // expected-error @+1 {{use of value '%w' expects different type than prior uses: 'tensor<1x1xf32>' vs 'tensor<1x16xf32>'}}
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<1x1xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// -----

func.func @main(%a: tensor<1x1x8xf32>, %b: tensor<1x4x8xf32>) -> tensor<1x1x8xf32> {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<1x5x8xf32>' are incompatible with return type(s) of operation 'tensor<1x1x8xf32>'}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<1x1x8xf32>, tensor<1x4x8xf32>) -> tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}

// -----

func.func @main(%a: tensor<2x3xi8>, %i: tensor<i8>) -> tensor<2x1xi8> {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<2xi8>' are incompatible with return type(s) of operation 'tensor<2x1xi8>'}}
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2x1xi8>
  return %0 : tensor<2x1xi8>
}

// -----

func.func @main(%a: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  // expected-error @+1 {{body-region expected to have a terminator}}
  %0 = "stablehlo.while"(%a) ({ ^bb0(%i: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, { ^bb0(%i: tensor<i32>):
    %1 = stablehlo.abs %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @main(%x: tensor<1x4x4x4xf32>, %w: tensor<3x3x8x1xf32>) -> tensor<1x8x2x2xf32> {
  // expected-error @+1 {{expects input feature dimension (4) / feature_group_count = kernel input feature dimension (8)}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x4x4x4xf32>, tensor<3x3x8x1xf32>) -> tensor<1x8x2x2xf32>
  return %0 : tensor<1x8x2x2xf32>
}

// -----

func.func @main(%a: tensor<2x2xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{all_gather_dim must be a valid index}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 5 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
