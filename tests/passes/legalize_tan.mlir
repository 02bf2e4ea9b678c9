// RUN: dxir-opt %s --split-input-file --dxir-legalize-tan | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-legalize-tan=to=quotient | FileCheck %s --check-prefix=QUOTIENT
// RUN: dxir-opt %s --split-input-file | FileCheck %s --check-prefix=UNASKED --implicit-check-not=dxir.approximations

// A sine that something else uses stays for that, and what is said of the quotient is said of tan.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[S:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[T:.*]] = stablehlo.tan %arg0 {dxir.approximations = [{by = "dxir-legalize-tan", legalized_from = "sine / cosine", max_rel_error = 2.384185791015625E-7 : f64, reason = {{.*}}}], mhlo.frontend_attributes = {a = "b"}}
// CHECK-NEXT: return %[[T]], %[[S]]
// UNASKED: stablehlo.divide
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %s = stablehlo.sine %x : tensor<4xf32>
  %c = stablehlo.cosine %x : tensor<4xf32>
  %0 = stablehlo.divide %s, %c {mhlo.frontend_attributes = {a = "b"}} : tensor<4xf32>
  return %0, %s : tensor<4xf32>, tensor<4xf32>
}

// -----

// QUOTIENT-LABEL: func.func @tan
// QUOTIENT: %[[S:.*]] = stablehlo.sine %arg0 : tensor<4xbf16>
// QUOTIENT: %[[C:.*]] = stablehlo.cosine %arg0 : tensor<4xbf16>
// QUOTIENT: stablehlo.divide %[[S]], %[[C]] {dxir.approximations = [{by = "dxir-legalize-tan", legalized_from = "tan", max_rel_error = 1.562500e-02 : f64
// QUOTIENT: stablehlo.divide {{.*}}dxir.approximations
// QUOTIENT-NOT: tan %
// UNASKED: stablehlo.tan
func.func @tan(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xbf16>) {
  %0 = stablehlo.tan %x : tensor<4xbf16>
  %1 = chlo.tan %0 : tensor<4xbf16> -> tensor<4xbf16>
  return %0, %1 : tensor<4xbf16>, tensor<4xbf16>
}

// -----

// Near misses: cotangent, two angles, a sharding that would be lost, and what no bound is known for.
// CHECK-LABEL: func.func @near
// CHECK-COUNT-5: stablehlo.divide
// CHECK-NOT: stablehlo.tan
func.func @near(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<2xcomplex<f32>>, %e: tensor<4xf8E5M2>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f32>>, tensor<4xf8E5M2>) {
  %s = stablehlo.sine %x : tensor<4xf32>
  %c = stablehlo.cosine %x : tensor<4xf32>
  %0 = stablehlo.divide %c, %s : tensor<4xf32>
  %d = stablehlo.cosine %y : tensor<4xf32>
  %1 = stablehlo.divide %s, %d : tensor<4xf32>
  %noted = stablehlo.cosine %x {mhlo.frontend_attributes = {a = "b"}} : tensor<4xf32>
  %2 = stablehlo.divide %s, %noted : tensor<4xf32>
  %zs = stablehlo.sine %z : tensor<2xcomplex<f32>>
  %zc = stablehlo.cosine %z : tensor<2xcomplex<f32>>
  %3 = stablehlo.divide %zs, %zc : tensor<2xcomplex<f32>>
  %es = stablehlo.sine %e : tensor<4xf8E5M2>
  %ec = stablehlo.cosine %e : tensor<4xf8E5M2>
  %4 = stablehlo.divide %es, %ec : tensor<4xf8E5M2>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f32>>, tensor<4xf8E5M2>
}

// -----

// An op that asks for an accuracy has it from its own kind.
// CHECK-LABEL: func.func @accurate
// QUOTIENT-LABEL: func.func @accurate
// QUOTIENT: stablehlo.tan
// QUOTIENT-NOT: stablehlo.divide
func.func @accurate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.tan"(%x) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
