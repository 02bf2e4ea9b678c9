// Shardings travel from what is annotated along operands and results, both ways.
//
// EXECUTABLES: also
// RUN: sdy-opt %s -split-input-file -sdy-propagation-pipeline | FileCheck %s
// RUN: sdy-opt %s -split-input-file --pass-pipeline='builtin.module(sdy-propagation-pipeline)' | FileCheck %s

// CHECK: sdy.mesh @grid = <["rows"=2, "cols"=4]>
sdy.mesh @grid = <["rows"=2, "cols"=4]>

// The rows of a product are those of its left operand.
// CHECK-LABEL: func.func @dot(
// CHECK-SAME: -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {}]>})
func.func @dot(%lhs: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {}]>}, %rhs: tensor<16x32xf32>) -> tensor<8x32xf32> {
  // CHECK: stablehlo.dot_general
  // CHECK-SAME: {sdy.sharding = #sdy.sharding_per_value<[<@grid, [{"rows"}, {}]>]>}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  // CHECK-NEXT: stablehlo.add
  // CHECK-SAME: [<@grid, [{"rows"}, {}]>]
  %1 = stablehlo.add %0, %0 : tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// What is summed over is not in the result.
// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}]>})
func.func @reduce(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {"cols"}]>}) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.reduce
  // CHECK-SAME: [<@grid, [{"rows"}]>]
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// Splitting a dimension keeps its axes on the larger part; joining keeps those of the first part.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: -> (tensor<128xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}]>})
func.func @reshape(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {"cols"}]>}) -> tensor<128xf32> {
  // CHECK: stablehlo.reshape
  // CHECK-SAME: [<@grid, [{"rows"}, {}, {"cols"}]>]
  %0 = stablehlo.reshape %x : (tensor<8x16xf32>) -> tensor<2x4x16xf32>
  // CHECK-NEXT: stablehlo.reshape
  // CHECK-SAME: [<@grid, [{"rows"}]>]
  %1 = stablehlo.reshape %0 : (tensor<2x4x16xf32>) -> tensor<128xf32>
  return %1 : tensor<128xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// A constraint in the middle decides about both sides, and becomes a reshard.
// CHECK-LABEL: func.func @constraint(
// CHECK-SAME: %arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {}]>}
// CHECK-SAME: -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"rows"}]>})
func.func @constraint(%x: tensor<8x16xf32>) -> tensor<16x8xf32> {
  // CHECK: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@grid, [{"rows"}, {}]>]>}
  %0 = stablehlo.tanh %x : tensor<8x16xf32>
  // CHECK-NEXT: sdy.reshard %{{.*}} <@grid, [{"rows"}, {}]>
  %1 = sdy.sharding_constraint %0 <@grid, [{"rows"}, {}]> : tensor<8x16xf32>
  // CHECK-NEXT: stablehlo.transpose
  // CHECK-SAME: [<@grid, [{}, {"rows"}]>]
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// Nothing is annotated, and nothing is made up.
// CHECK-LABEL: func.func @without_annotations(
// CHECK-NOT: sdy.sharding
func.func @without_annotations(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
