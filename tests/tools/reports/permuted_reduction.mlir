// Enzyme-JAX#2631, Enzyme-JAX#1796: the layout of two operands that a reduction takes together is
// kept where they differ; broadcasts of broadcasts merge into the one that says the same.
//
// RUN: dxir-opt %s --dxir-simplify --canonicalize --cse | FileCheck %s
// RUN: dxir-opt %s --dxir-simplify --dxir-fold --canonicalize | dxir-translate --interpret --args="[dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>, dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf32>]" | FileCheck %s --check-prefix=VALUE

// VALUE: 4.231000e+03
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.transpose %arg0, dims = [1, 0]
// CHECK: stablehlo.reshape %arg1
// CHECK: stablehlo.multiply
func.func @main(%a: tensor<2x2xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x2xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}

// CHECK-LABEL: func.func @merged
// CHECK-NEXT: %[[R:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xbf16>) -> tensor<3x4x2x5xbf16>
// CHECK-NEXT: return %[[R]]
func.func @merged(%x: tensor<2x3xbf16>) -> tensor<3x4x2x5xbf16> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xbf16>) -> tensor<3x4x2xbf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<3x4x2xbf16>) -> tensor<3x4x2x5xbf16>
  return %1 : tensor<3x4x2x5xbf16>
}
