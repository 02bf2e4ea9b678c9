// RUN: dxir-opt %s --split-input-file --dxir-dce | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-dce=signatures=false | FileCheck %s --check-prefix=FIXED

// A composite that nobody uses goes, and its decomposition with it; a call likewise.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return %arg0
// CHECK-NOT: func.func
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "acme.twice" %x {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @inner(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @inner(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @inner(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A loop variable that only makes its own next value goes; one that the others need stays.
// CHECK-LABEL: func.func @loop(
// CHECK: stablehlo.while(%[[I:.*]] = %c, %[[X:.*]] = %arg0) : tensor<i32>, tensor<f32>
// CHECK: stablehlo.add
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<f32>
// CHECK: return %{{.*}}#1 : tensor<f32>
func.func @loop(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %own = %y, %a = %x) : tensor<i32>, tensor<f32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %own, %a : tensor<f32>
    %3 = stablehlo.multiply %a, %a : tensor<f32>
    stablehlo.return %1, %2, %3 : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#2 : tensor<f32>
}

// -----

// Private functions lose what no call uses, and the calls with them.
// CHECK-LABEL: func.func @caller(
// CHECK-NEXT: %[[R:.*]] = call @both(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @both(%arg0: tensor<2xf32> {acme.name = "x"}) -> tensor<2xf32> {
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: return %0 : tensor<2xf32>
// FIXED-LABEL: func.func @caller(
// FIXED: call @both(%arg0, %arg1) : (tensor<2xf32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>)
func.func @caller(%x: tensor<2xf32>, %y: tensor<3xi32>) -> tensor<2xf32> {
  %0:2 = call @both(%x, %y) : (tensor<2xf32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
func.func private @both(%x: tensor<2xf32> {acme.name = "x"}, %y: tensor<3xi32> {acme.name = "y"}) -> (tensor<3xi32>, tensor<2xf32>) {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.negate %y : tensor<3xi32>
  return %1, %0 : tensor<3xi32>, tensor<2xf32>
}

// -----

// A near miss: what composites take and give is what kernels are matched by, and stays.
// CHECK-LABEL: func.func @kept(
// CHECK: stablehlo.composite "acme.both" %arg0, %arg1 {decomposition = @decomposition} : (tensor<2xf32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>)
// CHECK: func.func private @decomposition(%arg0: tensor<2xf32>, %arg1: tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>)
func.func @kept(%x: tensor<2xf32>, %y: tensor<3xi32>) -> tensor<2xf32> {
  %0:2 = stablehlo.composite "acme.both" %x, %y {decomposition = @decomposition} : (tensor<2xf32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
func.func private @decomposition(%x: tensor<2xf32>, %y: tensor<3xi32>) -> (tensor<3xi32>, tensor<2xf32>) {
  %0 = stablehlo.negate %y : tensor<3xi32>
  return %0, %x : tensor<3xi32>, tensor<2xf32>
}

// -----

// Refused: effects stay, in branches and behind calls too; a barrier with a use keeps its operands.
// CHECK-LABEL: func.func @effects(
// CHECK: stablehlo.custom_call @acme.log(%arg0) {has_side_effect = true}
// CHECK: "stablehlo.if"(%arg1) ({
// CHECK: stablehlo.rng
// CHECK: stablehlo.return
// CHECK: }) : (tensor<i1>) -> ()
// CHECK: "stablehlo.all_reduce"
// CHECK: call @tells() : () -> ()
// CHECK: stablehlo.optimization_barrier %arg0, %{{.*}} : tensor<2xf32>, tensor<2xf32>
// CHECK: sdy.sharding_constraint
// CHECK: func.func private @tells() {
func.func @effects(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @acme.log(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.if"(%p) ({
    %low = stablehlo.constant dense<0.0> : tensor<f32>
    %shape = stablehlo.constant dense<2> : tensor<1xi64>
    %7 = stablehlo.rng %low, %low, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
    stablehlo.return %7 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %2 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %7 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = call @tells(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %4 = stablehlo.negate %x : tensor<2xf32>
  %5:2 = stablehlo.optimization_barrier %x, %4 : tensor<2xf32>, tensor<2xf32>
  %6 = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<2xf32>
  return %5#0 : tensor<2xf32>
}
sdy.mesh @mesh = <["x"=2]>
func.func private @tells(%x: tensor<2xf32>) -> tensor<2xf32> {
  stablehlo.custom_call @acme.tick() {has_side_effect = true} : () -> ()
  return %x : tensor<2xf32>
}
