// Dynamic ops whose sizes are constants become static ones; the others stay.
//
// RUN: stablehlo-opt %s --stablehlo-canonicalize-dynamism --split-input-file | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-canonicalize-dynamism))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constant_sizes(
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4xi32>
// CHECK-NEXT: return %[[R]], %[[B]], %[[S]], %[[I]]
func.func @constant_sizes(%x: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<3x4xf32>, tensor<2xf32>, tensor<4xi32>) {
  %s = stablehlo.constant dense<2> : tensor<2xi64>
  %b = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %l = stablehlo.constant dense<1> : tensor<1xi64>
  %h = stablehlo.constant dense<3> : tensor<1xi64>
  %n = stablehlo.constant dense<4> : tensor<1xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %b, dims = [1] : (tensor<4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  %2 = "stablehlo.real_dynamic_slice"(%x, %l, %h, %l) : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  %3 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<3x4xf32>, tensor<2xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @sizes_of_arguments(
// CHECK-NEXT: stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
func.func @sizes_of_arguments(%x: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
