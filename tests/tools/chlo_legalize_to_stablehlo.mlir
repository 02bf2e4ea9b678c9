// CHLO ops become StableHLO ops, and shape ops where a shape is only known when the program runs.
//
// RUN: stablehlo-opt %s --chlo-legalize-to-stablehlo --split-input-file | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(chlo-legalize-to-stablehlo))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @broadcast_of_unknown_size(
// CHECK: shape.cstr_broadcastable
// CHECK-NEXT: shape.assuming
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %[[SHAPE:.*]], dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg1, %[[SHAPE]], dims = [1]
// CHECK: stablehlo.multiply
func.func @broadcast_of_unknown_size(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = chlo.broadcast_multiply %x, %y : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @compared(
// CHECK-NEXT: %[[Y:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<2xi32>
// CHECK-NEXT: stablehlo.compare GE, %arg0, %[[Y]] : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
func.func @compared(%x: tensor<2xi32>, %y: tensor<i32>) -> tensor<2xi1> {
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction GE>} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

// The conjugate of a real number is the number itself.
// CHECK-LABEL: func.func @functions(
// CHECK: %[[ABS:.*]] = stablehlo.abs %arg0
// CHECK: stablehlo.compare EQ, %[[ABS]]
// CHECK: stablehlo.exponential_minus_one %arg0
// CHECK: return %{{.*}}, %{{.*}}, %arg0
func.func @functions(%x: tensor<3xf32>) -> (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) {
  %0 = chlo.is_inf %x : tensor<3xf32> -> tensor<3xi1>
  %1 = chlo.sinh %x : tensor<3xf32> -> tensor<3xf32>
  %2 = chlo.conj %x : tensor<3xf32> -> tensor<3xf32>
  return %0, %1, %2 : tensor<3xi1>, tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @constants(
// CHECK: %[[C:.*]] = stablehlo.constant dense<3.500000e+00> : tensor<f16>
// CHECK: stablehlo.dynamic_broadcast_in_dim %[[C]], %{{.*}}, dims = []
// CHECK: stablehlo.constant dense<1.500000e+00> : tensor<f32>
func.func @constants(%x: tensor<2x?xf16>) -> (tensor<2x?xf16>, tensor<f32>) {
  %0 = "chlo.constant_like"(%x) {value = 3.5 : f16} : (tensor<2x?xf16>) -> tensor<2x?xf16>
  %1 = chlo.constant dense<1.5> : tensor<f32>
  return %0, %1 : tensor<2x?xf16>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @largest(
// CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<4x16xi32>
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %[[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT, %{{.*}}, TOTALORDER
// CHECK: stablehlo.slice %[[S]]#0 [0:4, 0:3]
// CHECK: stablehlo.slice %[[S]]#1 [0:4, 0:3]
func.func @largest(%x: tensor<4x16xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %0, %1 = chlo.top_k(%x, k = 3) : tensor<4x16xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xi32>
}
