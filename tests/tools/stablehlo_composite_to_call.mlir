// Composites become calls of their decompositions, in decompositions as well; `except` keeps some.
//
// RUN: stablehlo-opt %s --stablehlo-legalize-composite-to-call | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-composite-to-call='except=acme.cube' | FileCheck %s --check-prefix=KEPT
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(stablehlo-legalize-composite-to-call{except=acme.cube,acme.square})' | FileCheck %s --check-prefix=ALL-KEPT

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[S:.*]] = call @square(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[C:.*]] = call @cube(%[[S]])
// CHECK-NEXT: return %[[S]], %[[C]]
// CHECK-LABEL: func.func private @cube(
// CHECK-NEXT: call @square(%arg0)
// CHECK-NOT: stablehlo.composite

// KEPT-LABEL: func.func @main(
// KEPT-NEXT: %[[S:.*]] = call @square(%arg0)
// KEPT-NEXT: stablehlo.composite "acme.cube" %[[S]] {decomposition = @cube, version = 2 : i32}
// KEPT-LABEL: func.func private @cube(
// KEPT-NEXT: call @square(%arg0)

// ALL-KEPT-NOT: call
// ALL-KEPT: stablehlo.composite "acme.square" %arg0 {composite_attributes = {side = 1 : i32}, decomposition = @square}
// ALL-KEPT-NOT: call
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.composite "acme.square" %x {decomposition = @square, composite_attributes = {side = 1 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "acme.cube" %0 {decomposition = @cube, version = 2 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @square(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @cube(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "acme.square" %x {decomposition = @square} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.multiply %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}
