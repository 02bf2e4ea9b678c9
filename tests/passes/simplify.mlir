// RUN: dxir-opt %s --dxir-simplify --split-input-file | FileCheck %s
// RUN: dxir-opt %s --dxir-simplify=fast-math=true --split-input-file | FileCheck %s --check-prefix=FAST

// CHECK-LABEL: func.func @neutral
// CHECK-NEXT: return %arg0, %arg1
func.func @neutral(%x: tensor<4xf32>, %y: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %one = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.multiply %one, %x : tensor<4xf32>
  %minus = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %1 = stablehlo.add %0, %minus : tensor<4xf32>
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %2 = stablehlo.or %y, %zero : tensor<4xi32>
  %ones = stablehlo.constant dense<-1> : tensor<4xi32>
  %3 = stablehlo.and %2, %ones : tensor<4xi32>
  return %1, %3 : tensor<4xf32>, tensor<4xi32>
}

// -----

// Adding 0.0 makes 0.0 of -0.0, and x - x is NaN of an infinity: these are for fast-math.
// CHECK-LABEL: func.func @signed_zero
// CHECK: stablehlo.add
// CHECK: stablehlo.subtract
// FAST: module attributes {dxir.approximations = [{assumes = ["nnan", "ninf", "nsz", "arcp", "reassoc", "afn"], by = "dxir-simplify", legalized_from = "IEEE 754 arithmetic", reason = {{.*}}}]}
// FAST-LABEL: func.func @signed_zero
// FAST-NOT: stablehlo.add
// FAST: stablehlo.constant dense<0.000000e+00>
// FAST-NOT: stablehlo.subtract
func.func @signed_zero(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %zero : tensor<4xf32>
  %1 = stablehlo.subtract %x, %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @powers
// CHECK-DAG: %[[SQUARE:.*]] = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
// CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: stablehlo.divide %[[ONE]], %arg0
// CHECK-DAG: stablehlo.power
// FAST-LABEL: func.func @powers
// FAST: stablehlo.sqrt %arg0
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %minus = stablehlo.constant dense<-1.0> : tensor<4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %0 = stablehlo.power %x, %two : tensor<4xf32>
  %1 = stablehlo.power %x, %minus : tensor<4xf32>
  %2 = stablehlo.power %x, %half : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A division by a power of two is a product; one by three would round differently.
// CHECK-LABEL: func.func @quotients
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2.500000e-01> : tensor<4xf32>
// CHECK-DAG: stablehlo.multiply %arg0, %[[C]]
// CHECK-DAG: stablehlo.divide %arg0
func.func @quotients(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %four = stablehlo.constant dense<4.0> : tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %0 = stablehlo.divide %x, %four : tensor<4xf32>
  %1 = stablehlo.divide %x, %three : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @constants_go_last
// CHECK: stablehlo.compare GT, %arg0, %c
func.func @constants_go_last(%x: tensor<4xi32>) -> tensor<4xi1> {
  %c = stablehlo.constant dense<3> : tensor<4xi32>
  %0 = stablehlo.compare LT, %c, %x, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @decided
// CHECK-NEXT: %[[R:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: return %[[R]]
func.func @decided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %p = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What a sharding says of a value is kept: by the op that takes the place, or the rewrite is not made.
// CHECK-LABEL: func.func @annotated
// CHECK: stablehlo.subtract %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
// CHECK: %[[N:.*]] = stablehlo.negate %arg0 {sdy.sharding
// CHECK: stablehlo.negate %[[N]] :
sdy.mesh @mesh = <["a"=2]>
func.func @annotated(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.negate %y : tensor<4xf32>
  %1 = stablehlo.add %x, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<4xf32>
  %2 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<4xf32>
  %3 = stablehlo.negate %2 : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
