// RUN: dxir-opt %s --dxir-decompose=keep=acme.kept --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.abs %arg0
// CHECK-NEXT: stablehlo.composite "acme.kept" %0 {decomposition = @kept}
// CHECK-NEXT: call @helper
// CHECK-NEXT: return
// CHECK-NOT: @inner
// CHECK: func.func private @kept
// CHECK: func.func private @helper
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.outer" %x {decomposition = @outer} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "acme.kept" %0 {decomposition = @kept} : (tensor<4xf32>) -> tensor<4xf32>
  // A call that the user wrote stays.
  %2 = func.call @helper(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.inner" %x {decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A decomposition that can be called from outside stays, expanded elsewhere or not.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.abs
// CHECK: func.func @public
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.public" %x {decomposition = @public} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
