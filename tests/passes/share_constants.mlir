// RUN: dxir-opt %s --split-input-file --dxir-share-constants | FileCheck %s
// RUN: dxir-opt %s --split-input-file '--dxir-share-constants=functions=false calls=false' | FileCheck %s --check-prefix=CONSTANTS

// Branches use the function's constant; one that only they have moves to its start.
// CHECK-LABEL: func.func @branches(
// CHECK-NEXT: %[[FIVE:.*]] = stablehlo.constant dense<5.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NOT: stablehlo.constant
// CHECK: stablehlo.return %[[FIVE]]
// CHECK: stablehlo.add %[[FIVE]], %[[ONE]]
func.func @branches(%p: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = "stablehlo.if"(%p) ({
    %five = stablehlo.constant dense<5.0> : tensor<2xf32>
    stablehlo.return %five : tensor<2xf32>
  }, {
    %five = stablehlo.constant dense<5.0> : tensor<2xf32>
    %again = stablehlo.constant dense<1.0> : tensor<2xf32>
    %1 = stablehlo.add %five, %again : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0, %one : tensor<2xf32>, tensor<2xf32>
}

// -----

// Tied weights, one in the module and one beside it, are one.
// CHECK-LABEL: func.func @tied(
// CHECK-NEXT: %[[W:.*]] = stablehlo.constant dense_resource<embedding> : tensor<2xf32>
// CHECK-NEXT: stablehlo.multiply %[[W]], %[[W]]
// CHECK: embedding:
// CHECK-NOT: head:
func.func @tied() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<embedding> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = stablehlo.constant dense_resource<head> : tensor<2xf32>
  %3 = stablehlo.multiply %0, %1 : tensor<2xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<2xf32>
  return %4 : tensor<2xf32>
}
{-# dialect_resources: { builtin: {
  embedding: "0x040000000000803F00000040", head: "0x040000000000803F00000040"
} } #-}

// -----

// Equal decompositions become one, and then equal composites do.
// CHECK-LABEL: func.func @composites(
// CHECK-NEXT: %[[Y:.*]] = stablehlo.composite "acme.f" %arg0 {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: stablehlo.add %[[Y]], %[[Y]]
// CHECK: func.func private @f(
// CHECK-NOT: func.func
// CONSTANTS-LABEL: func.func @composites(
// CONSTANTS: decomposition = @f}
// CONSTANTS: decomposition = @g}
func.func @composites(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "acme.f" %x {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "acme.f" %x {decomposition = @g} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(%renamed: tensor<2xf32>) -> tensor<2xf32> {
  %other = stablehlo.multiply %renamed, %renamed : tensor<2xf32>
  return %other : tensor<2xf32>
}

// -----

// Near misses: the sign of zero, another name, another sharding, another block, state.
// CHECK-LABEL: func.func @different(
// CHECK-COUNT-2: stablehlo.constant dense<{{-?}}0.000000e+00> : tensor<2xf32>
// CHECK-COUNT-2: stablehlo.constant {sdy.sharding = {{.*}}} dense<3.000000e+00> : tensor<2xf32>
// CHECK: stablehlo.composite "acme.f"
// CHECK-NEXT: stablehlo.composite "acme.g"
// CHECK-COUNT-2: call @random()
sdy.mesh @mesh = <["x"=2]>
func.func @different(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<2xf32>
  %1 = stablehlo.constant dense<-0.0> : tensor<2xf32>
  %2 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<3.0> : tensor<2xf32>
  %3 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} dense<3.0> : tensor<2xf32>
  %4 = stablehlo.composite "acme.f" %x {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  %5 = stablehlo.composite "acme.g" %x {decomposition = @f} : (tensor<2xf32>) -> tensor<2xf32>
  %6 = call @random() : () -> tensor<2xf32>
  %7 = call @random() : () -> tensor<2xf32>
  return %7 : tensor<2xf32>
}
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func private @random() -> tensor<2xf32> {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.rng %low, %low, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Refused: what the bodies of reductions use stays in them, and public functions stay as they are.
// CHECK-LABEL: func.func @first(
// CHECK: stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK: stablehlo.reduce
// CHECK: stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-LABEL: func.func @second(
func.func @first(%x: tensor<2xf32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %inner = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.maximum %a, %inner : tensor<f32>
    %2 = stablehlo.add %1, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func @second(%x: tensor<2xf32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %inner = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.maximum %a, %inner : tensor<f32>
    %2 = stablehlo.add %1, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
