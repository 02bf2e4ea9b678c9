// pytorch/xla#8200, stablehlo#2869: a dynamic batch becomes static, through calls, composites and
// regions; what cannot is refused, and the op that stayed dynamic is named with the reason.
//
// RUN: dxir-opt %s -split-input-file --dxir-specialize=shapes=3x4 -verify-diagnostics | FileCheck %s --implicit-check-not='?'
// RUN: not dxir-opt %s -split-input-file --dxir-specialize=shapes=3x5 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not dxir-opt %s -split-input-file --dxir-specialize 2>&1 | FileCheck %s --check-prefix=NONE

// SIZE: error: dimension 1 of argument 0 (tensor<?x4xf32>) is 4, but the shape 3x5 makes it 5
// NONE: error: dimension 0 of argument 0 (tensor<?x4xf32>) has no size

// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: call @ones{{.*}} : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: stablehlo.composite "my.ones" {{.*}} : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: func.func private @ones
// CHECK: stablehlo.broadcast_in_dim {{.*}} -> tensor<3x4xf32>
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = call @ones(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.composite "my.ones" %0 {decomposition = @ones} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @ones(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %c4 = stablehlo.constant dense<4> : tensor<1xi32>
  %s = stablehlo.concatenate %n1, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %one, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %r = stablehlo.add %x, %b : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @main(%arg0: tensor<3x4xi8>) -> tensor<3x4xi8>
// CHECK: stablehlo.add %arg0, %arg0 : tensor<3x4xi8>
func.func @main(%x: tensor<?x4xi8, #stablehlo.bounds<8, ?>>) -> tensor<?x4xi8, #stablehlo.bounds<8, ?>> {
  %r = stablehlo.add %x, %x : tensor<?x4xi8, #stablehlo.bounds<8, ?>>
  return %r : tensor<?x4xi8, #stablehlo.bounds<8, ?>>
}

// -----

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{custom_call @pick stayed dynamic (tensor<?x4xf32>): nothing says what shape it gives}}
  %r = stablehlo.custom_call @pick(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
