// RUN: dxir-opt %s --split-input-file --dxir-expand-select-and-scatter | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-expand-select-and-scatter=most-places=2 --verify-diagnostics

// CHECK-LABEL: func.func @overlapping
// CHECK-NOT: select_and_scatter
// CHECK: stablehlo.slice %arg0 [0:3:2]
// CHECK: stablehlo.slice %arg0 [1:4:2]
// CHECK: stablehlo.compare GE
// CHECK-COUNT-6: stablehlo.pad
// CHECK: return
func.func @overlapping(%x: tensor<5xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<5xf32> {
  // expected-warning @+1 {{stays: its window has 3 places, and most-places is 2}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5xf32>, tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// A near miss: what selects is not elementwise.
// CHECK-LABEL: func.func @left
// CHECK: stablehlo.select_and_scatter
func.func @left(%x: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.compare GE, %1, %2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %4 = stablehlo.reshape %3 : (tensor<1xi1>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
