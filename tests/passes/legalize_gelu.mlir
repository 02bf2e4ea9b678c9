// RUN: dxir-opt %s --split-input-file --dxir-legalize-gelu='target=acme' | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-legalize-gelu --dxir-decompose | FileCheck %s --check-prefix=PLAIN

// The composite is the tanh form from here on, and says what it was; what else is said of it stays.
// CHECK-LABEL: func.func @main
// CHECK: stablehlo.composite "dxir.gelu" %arg0 {composite_attributes = {approximate = "tanh"}, decomposition = @dxir.gelu.tanh, dxir.approximations = [{by = "dxir-legalize-gelu", legalized_from = "gelu(exact)", max_abs_error = 4.800000e-04 : f64, reason = "the target acme asks for tanh in the place of erf"}], mhlo.frontend_attributes = {a = "b"}, version = 1 : i32}
// CHECK: stablehlo.composite "dxir.gelu" %{{.*}} {composite_attributes = {approximate = "tanh"}, decomposition = @dxir.gelu.tanh, dxir.approximations
// CHECK-SAME: form = "erf"
// CHECK: stablehlo.composite "dxir.gelu" {{.*}} decomposition = @[[HALF:[^,]*]],
// CHECK-SAME: tensor<2xf16>
// CHECK-NOT: @exact
// CHECK-NOT: erf
// CHECK: func.func private @dxir.gelu.tanh(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK: stablehlo.tanh
// CHECK: func.func private @[[HALF]](%arg0: tensor<2xf16>) -> tensor<2xf16>
// CHECK: stablehlo.tanh

// Expanded, the op that makes the result says so.
// PLAIN-LABEL: func.func @main
// PLAIN: stablehlo.tanh
// PLAIN: stablehlo.multiply {{.*}} {dxir.approximations = [{by = "dxir-legalize-gelu", legalized_from = "gelu(exact)", max_abs_error = 4.800000e-04 : f64, reason = "the pipeline asks for tanh in the place of erf"}], mhlo.frontend_attributes = {a = "b"}}
func.func @main(%x: tensor<4xf32>, %h: tensor<2xf16>) -> (tensor<4xf32>, tensor<2xf16>) {
  %0 = stablehlo.composite "dxir.gelu" %x {composite_attributes = {approximate = "none"}, decomposition = @exact, mhlo.frontend_attributes = {a = "b"}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "dxir.gelu" %0 {composite_attributes = {approximate = "none", form = "erf"}, decomposition = @exact} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.composite "dxir.gelu" %h {composite_attributes = {}, decomposition = @exact_half} : (tensor<2xf16>) -> tensor<2xf16>
  return %1, %2 : tensor<4xf32>, tensor<2xf16>
}
func.func private @exact(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  %minus = stablehlo.constant dense<-0.707106769> : tensor<4xf32>
  %0 = stablehlo.multiply %x, %half : tensor<4xf32>
  %1 = stablehlo.multiply %x, %minus : tensor<4xf32>
  %2 = chlo.erfc %1 : tensor<4xf32> -> tensor<4xf32>
  %3 = stablehlo.multiply %0, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @exact_half(%x: tensor<2xf16>) -> tensor<2xf16> {
  %0 = chlo.erf %x : tensor<2xf16> -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// -----

// Near misses: the tanh form as it is, another composite, and an erf that is part of no GELU.
// CHECK-LABEL: func.func @near
// CHECK: stablehlo.composite "dxir.gelu" %arg0 {composite_attributes = {approximate = "tanh"}, decomposition = @other} : (tensor<4xf32>)
// CHECK: stablehlo.composite "acme.gelu" %{{.*}} {composite_attributes = {approximate = "none"}, decomposition = @other} : (tensor<4xf32>)
// CHECK: chlo.erf
// CHECK-NOT: dxir.approximations
func.func @near(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "dxir.gelu" %x {composite_attributes = {approximate = "tanh"}, decomposition = @other} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "acme.gelu" %0 {composite_attributes = {approximate = "none"}, decomposition = @other} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = chlo.erf %1 : tensor<4xf32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
