// Unsigned integers lose their sign in types alone: ops, signatures and calls.
//
// RUN: stablehlo-opt %s --stablehlo-convert-to-signless | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-convert-to-signless --stablehlo-convert-to-signless | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<2xi16>, %arg1: tensor<2xi32>) -> (tensor<2xi16>, tensor<2xi32>) {
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %arg0, %arg0 : tensor<2xi16>
// CHECK-NEXT: %[[W:.*]] = stablehlo.convert %[[S]] : (tensor<2xi16>) -> tensor<2xi32>
// CHECK-NEXT: stablehlo.add %[[W]], %arg1 : tensor<2xi32>
// CHECK-NEXT: return
func.func @main(%x: tensor<2xui16>, %y: tensor<2xi32>) -> (tensor<2xui16>, tensor<2xi32>) {
  %0 = stablehlo.add %x, %x : tensor<2xui16>
  %1 = stablehlo.convert %0 : (tensor<2xui16>) -> tensor<2xi32>
  %2 = stablehlo.add %1, %y : tensor<2xi32>
  return %0, %2 : tensor<2xui16>, tensor<2xi32>
}

// CHECK-LABEL: func.func @floats(%arg0: tensor<2xf32>, %arg1: tensor<i8>) -> tensor<2xf32>
// CHECK-NEXT: return %arg0
func.func @floats(%x: tensor<2xf32>, %y: tensor<i8>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
