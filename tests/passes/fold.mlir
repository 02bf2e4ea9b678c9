// RUN: dxir-opt %s --dxir-fold | FileCheck %s
// RUN: dxir-opt %s --dxir-fold='max-elements=4' | FileCheck %s --check-prefix=SMALL
// RUN: dxir-opt %s --dxir-fold='inexact=true' | FileCheck %s --check-prefix=INEXACT

// What leads to a value goes with it, and what is said of the last op is said of the constant.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant {mhlo.frontend_attributes = {a = "b"}} dense<[9.000000e+00, 1.600000e+01]> : tensor<2xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg0, %[[C]]
// CHECK-NEXT: return %[[R]]
func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %d = stablehlo.add %a, %c : tensor<2xf32>
  %e = stablehlo.multiply %d, %d {mhlo.frontend_attributes = {a = "b"}} : tensor<2xf32>
  %f = stablehlo.add %x, %e : tensor<2xf32>
  return %f : tensor<2xf32>
}

// A constant that something else uses stays, and so does what does not fold.
// CHECK-LABEL: func.func @shared
// CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
// CHECK: stablehlo.add %arg0, %[[A]]
// CHECK: stablehlo.multiply %{{.*}}, %[[B]]
func.func @shared(%x: tensor<2xi32>) -> tensor<2xi32> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.negate %a : tensor<2xi32>
  %c = stablehlo.add %x, %a : tensor<2xi32>
  %d = stablehlo.multiply %c, %b : tensor<2xi32>
  return %d : tensor<2xi32>
}

// A splat stays one; an iota or a broadcast that grows is smaller as it is.
// CHECK-LABEL: func.func @sizes
// CHECK-DAG: stablehlo.constant dense<2.000000e+00> : tensor<100x100xf32>
// CHECK-DAG: stablehlo.iota dim = 0 : tensor<1000xi32>
// CHECK-DAG: stablehlo.constant dense<499500> : tensor<i32>
// CHECK-DAG: stablehlo.iota dim = 0 : tensor<1000000000xi32>
// SMALL-LABEL: func.func @sizes
// SMALL: stablehlo.broadcast_in_dim
// SMALL: stablehlo.add
// SMALL: stablehlo.reduce
func.func @sizes() -> (tensor<100x100xf32>, tensor<1000xi32>, tensor<i32>, tensor<1000000000xi32>) {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<100x100xf32>
  %c = stablehlo.add %b, %b : tensor<100x100xf32>
  %i = stablehlo.iota dim = 0 : tensor<1000xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.reduce(%i init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000xi32>, tensor<i32>) -> tensor<i32>
  %g = stablehlo.iota dim = 0 : tensor<1000000000xi32>
  return %c, %i, %s, %g : tensor<100x100xf32>, tensor<1000xi32>, tensor<i32>, tensor<1000000000xi32>
}

// What libraries round differently folds only when asked to.
// CHECK-LABEL: func.func @rounded
// CHECK: stablehlo.exponential
// CHECK: stablehlo.reduce
// CHECK-NOT: dxir.approximations
// INEXACT-LABEL: func.func @rounded
// INEXACT: stablehlo.constant {dxir.approximations = [{by = "dxir-fold", legalized_from = "stablehlo.exponential", reason = {{.*}}}, {by = "dxir-fold", legalized_from = "stablehlo.reduce", reason = {{.*}}}]} dense<2.000000e+00> : tensor<f32>
// INEXACT-NEXT: return
func.func @rounded() -> tensor<f32> {
  %a = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %b = stablehlo.exponential %a : tensor<2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// StableHLO does not say what these give.
// CHECK-LABEL: func.func @undefined
// CHECK: stablehlo.divide
// CHECK: stablehlo.convert
// CHECK: stablehlo.reduce
func.func @undefined() -> (tensor<2xi32>, tensor<i8>, tensor<i32>) {
  %a = stablehlo.constant dense<[6, 5]> : tensor<2xi32>
  %b = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %c = stablehlo.divide %a, %b : tensor<2xi32>
  %d = stablehlo.constant dense<300.0> : tensor<f32>
  %e = stablehlo.convert %d : (tensor<f32>) -> tensor<i8>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.reduce(%a init: %one) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return %c, %e, %s : tensor<2xi32>, tensor<i8>, tensor<i32>
}

// Constants in regions fold where they are; ops with effects, and barriers, stay.
// CHECK-LABEL: func.func @regions
// CHECK: stablehlo.while
// CHECK: do {
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT: stablehlo.add %{{.*}}, %[[C]]
// CHECK: stablehlo.optimization_barrier
// CHECK: stablehlo.custom_call @keep
func.func @regions(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %l = stablehlo.while(%i = %one) : tensor<i32>
  cond {
    %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %three = stablehlo.add %one, %two : tensor<i32>
    %next = stablehlo.add %i, %three : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %b = stablehlo.optimization_barrier %one : tensor<i32>
  %k = stablehlo.custom_call @keep(%one) : (tensor<i32>) -> tensor<i32>
  return %l, %b, %k : tensor<i32>, tensor<i32>, tensor<i32>
}

// A decomposition is what says what a composite means: it stays as it is written.
// CHECK-LABEL: func.func private @meaning
// CHECK: stablehlo.add
func.func private @meaning() -> tensor<i32> {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.add %a, %a : tensor<i32>
  return %b : tensor<i32>
}
func.func @composite() -> tensor<i32> {
  %r = stablehlo.composite "acme.two" {decomposition = @meaning} : () -> tensor<i32>
  return %r : tensor<i32>
}
