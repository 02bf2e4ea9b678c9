// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(func.func(hlo-test-infer))' --allow-unregistered-dialect --split-input-file | FileCheck %s
// RUN: stablehlo-opt %s --hlo-test-infer --hlo-test-infer --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @sliced(
// CHECK: %[[S:.*]] = stablehlo.slice
// CHECK-NEXT: "hlo_test_infer.return_types"(%[[S]]) {acme.note = "kept", types0 = tensor<1x2xf32>} : (tensor<1x2xf32>) -> tensor<1x2xindex>
func.func @sliced(%x: tensor<3x4xf32>) -> tensor<1x2xindex> {
  %0 = stablehlo.slice %x [1:2, 0:4:2] : (tensor<3x4xf32>) -> tensor<1x2xf32>
  %1 = "hlo_test_infer.get_return_types"(%0) {acme.note = "kept"} : (tensor<1x2xf32>) -> tensor<1x2xindex>
  return %1 : tensor<1x2xindex>
}

// -----

// Attributes, regions and all results of the op are asked about, however the result is used.
// CHECK-LABEL: func.func @reduced(
// CHECK: "hlo_test_infer.return_types"(%{{.*}}#1) {types0 = tensor<2xf32>, types1 = tensor<2xi32>}
func.func @reduced(%x: tensor<2x?xf32>, %y: tensor<2x?xi32>, %a: tensor<f32>, %b: tensor<i32>) -> tensor<2xi32> {
  %0:2 = "stablehlo.reduce"(%x, %y, %a, %b) ({
  ^bb0(%p: tensor<f32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<i32>):
    %1 = stablehlo.add %p, %r : tensor<f32>
    stablehlo.return %1, %q : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x?xf32>, tensor<2x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  %2 = "hlo_test_infer.get_return_types"(%0#1) : (tensor<2xi32>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
}

// -----

// What is inferred may say less, or more, than the type written.
// CHECK-LABEL: func.func @compared(
// CHECK: types0 = tensor<4x?xi1>
func.func @compared(%x: tensor<4x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xi1> {
  %0 = stablehlo.compare EQ, %x, %y : (tensor<4x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> tensor<?x?xi1>
  return %1 : tensor<?x?xi1>
}

// -----

// CHECK-LABEL: func.func @components(
// CHECK: "hlo_test_infer.return_type_components"(%{{.*}}) {types0 = tensor<2x?xf32>}
func.func @components(%x: tensor<2x?xf32>, %y: tensor<f32>) -> tensor<2x?xindex> {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
  %1 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x?xf32>) -> tensor<2x?xindex>
  return %1 : tensor<2x?xindex>
}

// -----

// Bounds of dimensions are part of the answer.
// CHECK-LABEL: func.func @bounded(
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<3>>
// CHECK: types0 = tensor<?xf32, #stablehlo.bounds<3>>
func.func @bounded(%x: tensor<?xf32, #stablehlo.bounds<3>>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.add %x, %x : tensor<?xf32, #stablehlo.bounds<3>>
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xf32>
  %2 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A near miss: no question, no answer.
// CHECK-LABEL: func.func @other(
// CHECK: "hlo_test_infer.acme"(%{{.*}}) : (tensor<f32>) -> tensor<f32>
func.func @other(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = "hlo_test_infer.acme"(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
