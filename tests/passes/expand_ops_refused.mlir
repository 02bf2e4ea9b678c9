// RUN: not dxir-opt %s --dxir-expand-ops=ops=cholesky,svd 2>&1 | FileCheck %s

// CHECK: dxir-expand-ops expands no 'svd'
// CHECK: it knows batch_norm_grad, batch_norm_inference, batch_norm_training, cholesky, triangular_solve
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}
