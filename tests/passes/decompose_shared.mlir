// RUN: dxir-opt %s --dxir-decompose=keep=acme.kept --split-input-file | FileCheck %s

// The copies of a constant, and of what is made of it, become the one op again.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ONES:.*]] = stablehlo.broadcast_in_dim %[[ONE]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %[[ONES]]
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[SUM]], %[[ONES]]
// CHECK-NEXT: %[[DIFFERENCE:.*]] = stablehlo.subtract %[[PRODUCT]], %[[ONES]]
// CHECK-NEXT: return %[[DIFFERENCE]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] {dxir.shared = 2 : i64} : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.composite "acme.f" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %b : tensor<4xf32>
  %2 = stablehlo.composite "acme.g" %1 {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] {dxir.shared = 2 : i64} : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.add %x, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] {dxir.shared = 2 : i64} : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.subtract %x, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The op stands after the place of the composite: one of both is left, before all that use it.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: stablehlo.add %arg0, %[[ONE]]
// CHECK-NEXT: stablehlo.multiply %{{.*}}, %[[ONE]]
// CHECK-NEXT: return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.f" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %c = stablehlo.constant {dxir.shared = 7 : i64} dense<1.0> : tensor<4xf32>
  %1 = stablehlo.multiply %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {dxir.shared = 7 : i64} dense<1.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// No copy is in a place that reaches the others: one moves out of the branches.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ONES:.*]] = stablehlo.broadcast_in_dim %[[ONE]]
// CHECK-NEXT: "stablehlo.if"
// CHECK-NEXT: stablehlo.add %arg1, %[[ONES]]
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.add %arg1, %[[ONES]]
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: })
// CHECK-NEXT: return
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.composite "acme.f" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }, {
    %0 = stablehlo.composite "acme.f" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] {dxir.shared = 2 : i64} : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.add %x, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Near misses: another value, another number, no number. A number that a decomposition still has stays.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.constant {dxir.shared = 1 : i64} dense<1.000000e+00>
// CHECK-NEXT: stablehlo.constant {dxir.shared = 1 : i64} dense<2.000000e+00>
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: stablehlo.constant dense<1.000000e+00>
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: stablehlo.constant dense<1.000000e+00>
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: stablehlo.composite "acme.kept"
// CHECK: func.func private @kept
// CHECK-NEXT: stablehlo.constant {dxir.shared = 1 : i64} dense<1.000000e+00>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<1.0> : tensor<f32>
  %0 = stablehlo.composite "acme.f" %c {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "acme.g" %0 {decomposition = @g} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.composite "acme.h" %1 {decomposition = @h} : (tensor<f32>) -> tensor<f32>
  %3 = stablehlo.composite "acme.kept" %2 {decomposition = @kept} : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<2.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant {dxir.shared = 2 : i64} dense<1.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @h(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @kept(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant {dxir.shared = 1 : i64} dense<1.0> : tensor<f32>
  %0 = stablehlo.add %x, %c : tensor<f32>
  return %0 : tensor<f32>
}
