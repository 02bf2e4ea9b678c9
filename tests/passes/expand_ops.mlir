// RUN: dxir-opt %s --split-input-file --dxir-expand-ops | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-expand-ops=ops=batch_norm_grad | FileCheck %s --check-prefix=FEW

// CHECK-LABEL: func.func @factor
// CHECK-NOT: stablehlo.cholesky
// CHECK: stablehlo.while
// FEW-LABEL: func.func @factor
// FEW: stablehlo.cholesky
func.func @factor(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @solve
// CHECK-NOT: stablehlo.triangular_solve
// CHECK: stablehlo.while
func.func @solve(%a: tensor<2x3x3xf64>, %b: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %0 : tensor<2x3x4xf64>
}

// -----

// CHECK-LABEL: func.func @norm
// CHECK-NOT: stablehlo.batch_norm_grad
// CHECK: stablehlo.rsqrt
func.func @norm(%x: tensor<5x3xf32>, %s: tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1, %0#2 : tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// Near misses: unknown sizes, and an op that is not asked for.
// CHECK-LABEL: func.func @left
// CHECK: stablehlo.cholesky
// CHECK: stablehlo.batch_norm_inference
func.func @left(%a: tensor<?x4x4xf32>, %x: tensor<5x3xf32>, %s: tensor<3xf32>) -> (tensor<?x4x4xf32>, tensor<5x3xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x4x4xf32>
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  return %0, %1 : tensor<?x4x4xf32>, tensor<5x3xf32>
}
