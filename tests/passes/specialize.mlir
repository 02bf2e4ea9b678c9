// RUN: dxir-opt %s --split-input-file --dxir-specialize='shapes="x=3x4;y=2x4"' | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg0, %[[B]] : tensor<3x4xf32>
// CHECK-NEXT: return %[[R]] : tensor<3x4xf32>
func.func @main(%x: tensor<?x4xf32> loc("x"), %y: tensor<?x4xf32> loc("y")) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %r = stablehlo.add %x, %b : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// One function for each shape it is called with, composites too; a static one is left alone.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.composite "acme.double" %arg0 {decomposition = @double} : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: call @double_[[N:[0-9]+]](%arg1) : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: call @static
// CHECK-NEXT: call @static
// CHECK: func.func private @double(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: func.func private @static
// CHECK: func.func private @double_[[N]](%arg0: tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @main(%x: tensor<?x4xf32> loc("x"), %y: tensor<?x4xf32> loc("y"), %z: tensor<f32>) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<f32>) {
  %r = stablehlo.composite "acme.double" %x {decomposition = @double} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = call @double(%y) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %t = call @static(%z) : (tensor<f32>) -> tensor<f32>
  %u = call @static(%t) : (tensor<f32>) -> tensor<f32>
  return %r, %s, %u : tensor<?x4xf32>, tensor<?x4xf32>, tensor<f32>
}
func.func private @double(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = stablehlo.add %x, %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func private @static(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.add %x, %x : tensor<f32>
  return %r : tensor<f32>
}

// -----

// Another public function is not ours to change.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x4xf32>)
// CHECK-LABEL: func.func @other(%arg0: tensor<?x4xf32>)
func.func @main(%x: tensor<?x4xf32> loc("x"), %y: tensor<?x4xf32> loc("y")) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
func.func @other(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
