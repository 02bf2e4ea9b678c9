// RUN: dxir-opt %s --dxir-recognize --dxir-coarsen --split-input-file | FileCheck %s
// RUN: dxir-opt %s --dxir-recognize=patterns=silu,softmax --dxir-coarsen=patterns=softmax --split-input-file | FileCheck %s --check-prefix=ONLY

// A composite takes the operands in order; the ops are its decomposition, in their order.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = stablehlo.composite "dxir.softmax" %arg0 {composite_attributes = {axis = 1 : i64, masked = false}, decomposition = @dxir.softmax, version = 1 : i32} : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @dxir.softmax(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: %[[Q:.*]] = stablehlo.divide
// CHECK-NEXT: return %[[Q]]
// ONLY-LABEL: func.func @main
// ONLY: composite "dxir.softmax"
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<3x4xf32>
  %3 = stablehlo.exponential %2 : tensor<3x4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
  %6 = stablehlo.divide %3, %5 : tensor<3x4xf32>
  return %6 : tensor<3x4xf32>
}

// -----

// Equal matches share a decomposition, whatever functions and regions they are in; one of other
// results has its own. What one pattern is not asked for is left as it was, without marks.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.composite "dxir.silu" %arg1 {decomposition = @dxir.silu, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: "stablehlo.if"
// CHECK-NEXT: stablehlo.composite "dxir.silu" %{{.*}} {decomposition = @dxir.silu,
// CHECK: %[[TWO:.*]]:2 = stablehlo.composite "dxir.silu" %{{.*}} {decomposition = @dxir.silu_1, version = 1 : i32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return %[[TWO]]#0, %[[TWO]]#1
// CHECK-LABEL: func.func private @called
// CHECK-NEXT: stablehlo.composite "dxir.silu" %arg0 {decomposition = @dxir.silu,
// CHECK-LABEL: func.func private @block
// CHECK-NEXT: stablehlo.composite "dxir.silu" %arg0 {decomposition = @dxir.silu,
// CHECK: func.func private @dxir.silu(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK: func.func private @dxir.silu_1(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: func.func
// ONLY-LABEL: func.func @main
// ONLY-NOT: "dxir.silu"
// ONLY-NOT: dxir.match
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  %2 = "stablehlo.if"(%p) ({
    %a = stablehlo.logistic %1 : tensor<4xf32>
    %b = stablehlo.multiply %1, %a : tensor<4xf32>
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %3 = func.call @called(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.composite "acme.block" %3 {decomposition = @block} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = stablehlo.logistic %4 : tensor<4xf32>
  %6 = stablehlo.multiply %4, %5 : tensor<4xf32>
  return %6, %5 : tensor<4xf32>, tensor<4xf32>
}
func.func private @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  %2 = stablehlo.sine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @block(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  %2 = stablehlo.cosine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A constant that others use is copied, and the copies say which it was; one that nobody else uses moves.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant {dxir.shared = 1 : i64} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] {dxir.shared = 0 : i64}
// CHECK-NEXT: %[[S:.*]] = stablehlo.composite "dxir.silu" %arg0
// CHECK-NEXT: %[[A:.*]] = stablehlo.add %[[S]], %[[B]]
// CHECK-NEXT: %[[Q:.*]] = stablehlo.composite "dxir.quick_gelu" %[[A]]
// CHECK-NEXT: return %[[Q]]
// CHECK: func.func private @dxir.silu
// CHECK-NEXT: stablehlo.constant {dxir.shared = 1 : i64} dense<1.000000e+00>
// CHECK-NEXT: stablehlo.broadcast_in_dim %{{.*}}, dims = [] {dxir.shared = 0 : i64}
// CHECK: func.func private @dxir.quick_gelu
// CHECK-NEXT: stablehlo.constant dense<1.702000e+00> : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %b : tensor<4xf32>
  %3 = stablehlo.divide %x, %2 : tensor<4xf32>
  %4 = stablehlo.add %3, %b : tensor<4xf32>
  %d = stablehlo.constant dense<1.702> : tensor<4xf32>
  %5 = stablehlo.multiply %4, %d : tensor<4xf32>
  %6 = stablehlo.logistic %5 : tensor<4xf32>
  %7 = stablehlo.multiply %4, %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// The composite stands before the first user of a value inside, constants made later or not.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]]:2 = stablehlo.composite "dxir.silu" %arg0
// CHECK-NEXT: %[[S:.*]] = stablehlo.sine %[[R]]#1
// CHECK-NEXT: return %[[R]]#0, %[[S]]
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %s = stablehlo.sine %1 : tensor<4xf32>
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.add %1, %b : tensor<4xf32>
  %3 = stablehlo.divide %x, %2 : tensor<4xf32>
  return %3, %s : tensor<4xf32>, tensor<4xf32>
}

// -----

// Marks set by hand: a name with a dot is the composite's, other values come in as they are met.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]] = stablehlo.composite "acme.block" %arg0, %arg1 {decomposition = @acme.block, version = 1 : i32}
// CHECK-NEXT: %[[S:.*]] = stablehlo.composite "dxir.mine" %arg1, %[[R]] {composite_attributes = {speed = "fast"}, decomposition = @dxir.mine, version = 1 : i32}
// CHECK-NEXT: return %[[S]]
// CHECK: func.func private @acme.block(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
// CHECK-NEXT: stablehlo.tanh %arg0 : tensor<4xf32>
// CHECK-NEXT: stablehlo.add %{{.*}}, %arg1 {acme.kept = 1 : i64} : tensor<4xf32>
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x {dxir.pattern = "acme.block", dxir.match_id = 0 : i64} : tensor<4xf32>
  %1 = stablehlo.add %0, %y {dxir.match_id = 0 : i64, dxir.pattern = "acme.block", acme.kept = 1 : i64} : tensor<4xf32>
  %2 = stablehlo.subtract %1, %y {dxir.pattern = "mine", dxir.match_id = 1 : i64, dxir.match = {attributes = {speed = "fast"}}, dxir.match_operands = array<i64: 1, 0>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Ops with regions, which take values from outside of them, and with several results.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]]:2 = stablehlo.composite "acme.branch" %arg0, %arg1, %arg2 {
// CHECK-SAME: (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
// CHECK: func.func private @acme.branch(%arg0: tensor<i1>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>)
// CHECK: stablehlo.add %arg1, %arg2
// CHECK: stablehlo.return %{{.*}}, %arg1
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "stablehlo.if"(%p) ({
    %a = stablehlo.add %x, %y : tensor<4xf32>
    stablehlo.return %a, %x : tensor<4xf32>, tensor<4xf32>
  }, {
    stablehlo.return %y, %x : tensor<4xf32>, tensor<4xf32>
  }) {dxir.pattern = "acme.branch", dxir.match_id = 0 : i64} : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What is sharded stays so, and a decomposition has another name where that is taken.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.composite "dxir.silu" %arg0 {decomposition = @dxir.silu_1, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>, version = 1 : i32}
// CHECK: func.func private @dxir.silu()
// CHECK: func.func private @dxir.silu_1(%arg0: tensor<4xf32>)
// CHECK-NEXT: stablehlo.logistic %arg0 : tensor<4xf32>
// CHECK-NEXT: stablehlo.multiply {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @dxir.silu() {
  return
}

// -----

// In a function of several blocks, for values that later blocks use.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[R:.*]]:2 = stablehlo.composite "dxir.silu" %arg0
// CHECK-NEXT: cf.br
// CHECK: stablehlo.add %[[R]]#1, %[[R]]#0
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  cf.br ^bb1
^bb1:
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Nothing is marked, nothing is changed.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.logistic %arg0 : tensor<4xf32>
// CHECK-NEXT: stablehlo.multiply %arg1
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %y, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
