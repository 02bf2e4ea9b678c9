// RUN: not dxir-opt %s --dxir-simplify=slow-math=true 2>&1 | FileCheck %s
// CHECK: the pass dxir-simplify has no option 'slow-math'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
