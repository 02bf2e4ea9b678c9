// Ops that StableHLO is to lose become those that stay.
//
// RUN: stablehlo-opt %s --stablehlo-legalize-deprecated-ops --split-input-file | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false}))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @old(
// CHECK-NEXT: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return
func.func @old(%x: tensor<4xf32>, %y: tensor<2x3xf32>, %z: tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 2>} : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.dot"(%y, %z) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func.func @token(
// CHECK-NEXT: %[[T:.*]] = stablehlo.after_all : !stablehlo.token
// CHECK-NEXT: return %[[T]]
func.func @token() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// CHECK-LABEL: func.func @current(
// CHECK-NEXT: stablehlo.transpose %arg0, dims = [1, 0]
// CHECK-NEXT: return
func.func @current(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
