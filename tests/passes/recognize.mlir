// RUN: dxir-opt %s --dxir-recognize --split-input-file | FileCheck %s
// RUN: dxir-opt %s --dxir-recognize=patterns=softmax --split-input-file | FileCheck %s --check-prefix=SOFTMAX
// RUN: dxir-opt %s --dxir-recognize=without=silu,gelu --split-input-file | FileCheck %s --check-prefix=WITHOUT

// Each op of a match says of which it is part, and the last one what it stands for.
// CHECK-LABEL: func.func @marked
// CHECK: stablehlo.negate %arg0 {dxir.match_id = 0 : i64, dxir.match_operands = array<i64: 0>, dxir.pattern = "silu"}
// CHECK: stablehlo.exponential %{{.*}} {dxir.match_id = 0 : i64, dxir.match_operands = array<i64: -1>, dxir.pattern = "silu"}
// CHECK: stablehlo.add %{{.*}}, %{{.*}} {dxir.match_id = 0 : i64, dxir.match_operands = array<i64: -1, -1>, dxir.pattern = "silu"}
// CHECK: stablehlo.divide %arg0, %{{.*}} {dxir.match = {attributes = {}, composite = "dxir.silu", ops = 4 : i64}, dxir.match_id = 0 : i64, dxir.match_operands = array<i64: 0, -1>, dxir.pattern = "silu"}
// CHECK-NOT: dxir.
// CHECK: return
// SOFTMAX-LABEL: func.func @marked
// SOFTMAX-NOT: dxir.
// WITHOUT-LABEL: func.func @marked
// WITHOUT-NOT: dxir.
func.func @marked(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %one : tensor<4xf32>
  %3 = stablehlo.divide %x, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Attributes go with the match, a reduction with its region.
// CHECK-LABEL: func.func @softmax
// CHECK: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1] {dxir.match_id = 0 : i64
// CHECK: stablehlo.divide {{.*}} {dxir.match = {attributes = {axis = 1 : i64, masked = false}, composite = "dxir.softmax", ops = 7 : i64}
// SOFTMAX-LABEL: func.func @softmax
// SOFTMAX: dxir.pattern = "softmax"
// WITHOUT-LABEL: func.func @softmax
// WITHOUT: dxir.pattern = "softmax"
func.func @softmax(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
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

// Near misses: another value, another constant, a tanh that does not belong, an axis that is not the maximum's.
// CHECK-LABEL: func.func @near
// CHECK-NOT: dxir.
func.func @near(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.logistic %x : tensor<4x4xf32>
  %1 = stablehlo.multiply %y, %0 : tensor<4x4xf32>
  %two = stablehlo.constant dense<2.0> : tensor<4x4xf32>
  %2 = stablehlo.negate %x : tensor<4x4xf32>
  %3 = stablehlo.exponential %2 : tensor<4x4xf32>
  %4 = stablehlo.add %3, %two : tensor<4x4xf32>
  %5 = stablehlo.divide %x, %4 : tensor<4x4xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %8 = stablehlo.subtract %x, %7 : tensor<4x4xf32>
  %9 = stablehlo.exponential %8 : tensor<4x4xf32>
  %10 = stablehlo.reduce(%9 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  %12 = stablehlo.divide %9, %11 : tensor<4x4xf32>
  return %1, %5, %12 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Matches are found in branches and loops, in functions that are called, and in decompositions of others.
// CHECK-LABEL: func.func @places
// CHECK: "stablehlo.if"
// CHECK: stablehlo.logistic %arg1 {dxir.match_id = 0
// CHECK: stablehlo.multiply %arg1, %{{.*}} {dxir.match = {attributes = {}, composite = "dxir.silu", ops = 2 : i64}, dxir.match_id = 0
// CHECK: stablehlo.while
// CHECK: stablehlo.logistic %iterArg{{.*}} {dxir.match_id = 1
// CHECK-LABEL: func.func private @called
// CHECK: dxir.match_id = 2
// CHECK-LABEL: func.func private @block
// CHECK: dxir.match_id = 3
func.func @places(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.logistic %x : tensor<4xf32>
    %b = stablehlo.multiply %x, %a : tensor<4xf32>
    stablehlo.return %b : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %1:2 = stablehlo.while(%q = %p, %v = %0) : tensor<i1>, tensor<4xf32>
   cond {
    stablehlo.return %q : tensor<i1>
  } do {
    %a = stablehlo.logistic %v : tensor<4xf32>
    %b = stablehlo.multiply %v, %a : tensor<4xf32>
    %n = stablehlo.not %q : tensor<i1>
    stablehlo.return %n, %b : tensor<i1>, tensor<4xf32>
  }
  %2 = func.call @called(%1#1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.composite "acme.block" %2 {decomposition = @block} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
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
  %2 = stablehlo.sine %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Ops on both sides of a region's border are no match; nor is what a composite already stands for.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: dxir.match
// CHECK-NOT: dxir.pattern
func.func @apart(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    %a = stablehlo.multiply %x, %0 : tensor<4xf32>
    stablehlo.return %a : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = stablehlo.composite "dxir.silu" %1 {decomposition = @silu} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Of matches that overlap the largest stays: the layer with its activation, not the activation.
// CHECK-LABEL: func.func @overlap
// CHECK: stablehlo.dot_general
// CHECK-SAME: dxir.pattern = "linear"
// CHECK: stablehlo.logistic %{{.*}} {dxir.match_id = 0 : i64, {{.*}}dxir.pattern = "linear"
// CHECK: stablehlo.multiply {{.*}} {dxir.match = {attributes = {activation = "silu"{{.*}}composite = "dxir.linear"
// CHECK-NOT: "silu"}
func.func @overlap(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
  %3 = stablehlo.logistic %2 : tensor<2x3xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// -----

// What is marked already stays so, and numbers of matches go on from there.
// CHECK-LABEL: func.func @marked_before
// CHECK: stablehlo.logistic %arg0 {dxir.match_id = 7 : i64, dxir.pattern = "acme.gate"}
// CHECK: stablehlo.multiply %arg0, %{{.*}} : tensor<4xf32>
// CHECK: stablehlo.logistic %arg1 {dxir.match_id = 8 : i64
func.func @marked_before(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.logistic %x {dxir.pattern = "acme.gate", dxir.match_id = 7 : i64} : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  %2 = stablehlo.logistic %y : tensor<4xf32>
  %3 = stablehlo.multiply %y, %2 : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A value inside that others use is no obstacle, unless what they make of it is an operand.
// CHECK-LABEL: func.func @used_inside
// CHECK: stablehlo.logistic %arg0 {dxir.match_id = 0
// CHECK: stablehlo.sine
// CHECK-SAME: : tensor<4xf32>
// CHECK: stablehlo.multiply %arg0, %{{.*}} {dxir.match =
func.func @used_inside(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %2 = stablehlo.multiply %x, %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// In a function of several blocks, too, in each of them.
// CHECK-LABEL: func.func @blocks
// CHECK: stablehlo.logistic %arg0 {dxir.match_id = 0
// CHECK: cf.br
// CHECK: stablehlo.logistic %{{.*}} {dxir.match_id = 1
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  cf.br ^bb1(%0 : tensor<4xf32>)
^bb1(%y: tensor<4xf32>):
  %2 = stablehlo.add %y, %1 : tensor<4xf32>
  %3 = stablehlo.logistic %2 : tensor<4xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
