// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-mixed-precision | FileCheck %s
// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-mixed-precision=keep-io=false | FileCheck %s --check-prefix=SIGNATURE

// Products take bf16 and add up in f32; arithmetic on their results follows.
// CHECK: module attributes {dxir.approximations = [{by = "dxir-mixed-precision", legalized_from = "f32", policy = "compute=bf16 accumulate=f32 io=f32 composites=convert", reason = {{.*}}}]}
// CHECK-LABEL: func.func @match(
// CHECK-SAME: %arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK: [[X:%.*]] = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
// CHECK-NEXT: [[W:%.*]] = stablehlo.convert %arg1 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
// CHECK: stablehlo.constant dense<5.000000e-01> : tensor<4x8xbf16>
// CHECK-NEXT: [[DOT:%.*]] = stablehlo.dot_general [[X]], [[W]]
// CHECK-SAME: (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xf32>
// CHECK: stablehlo.multiply {{.*}} : tensor<4x8xbf16>
// CHECK-NEXT: [[LAST:%.*]] = stablehlo.add {{.*}} : tensor<4x8xbf16>
// CHECK-NEXT: [[WIDE:%.*]] = stablehlo.convert [[LAST]] : (tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT: return [[WIDE]] : tensor<4x8xf32>
// SIGNATURE-LABEL: func.func @match(
// SIGNATURE-SAME: %arg0: tensor<4x8xbf16>, %arg1: tensor<8x8xbf16>) -> tensor<4x8xbf16>
// SIGNATURE-NOT: stablehlo.convert %arg
func.func @match(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<4x8xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.multiply %0, %half : tensor<4x8xf32>
  %2 = stablehlo.add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Statistics stay in f32, and so does what only they use; so does a scalar that is returned.
// CHECK-LABEL: func.func @near_miss(
// CHECK-NOT: bf16
// CHECK: return
// SIGNATURE-LABEL: func.func @near_miss(
// SIGNATURE-SAME: %arg0: tensor<4x8xbf16>) -> tensor<f32>
func.func @near_miss(%x: tensor<4x8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.sqrt %1 : tensor<f32>
  return %2 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @precise(
// CHECK: stablehlo.dot_general {{.*}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @precise(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-warning @+1 {{'stablehlo.dot_general' stays in f32: it asks for a precision above the default}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @others(
// CHECK: stablehlo.dot_general {{.*}} : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
// CHECK-NEXT: stablehlo.add {{.*}} : tensor<4xi32>
// CHECK-NEXT: stablehlo.add {{.*}} : tensor<4xcomplex<f32>>
// CHECK-NEXT: stablehlo.add {{.*}} : tensor<4xf16>
func.func @others(%a: tensor<4x4xf64>, %b: tensor<4xi32>, %c: tensor<4xcomplex<f32>>, %d: tensor<4xf16>) -> (tensor<4x4xf64>, tensor<4xi32>, tensor<4xcomplex<f32>>, tensor<4xf16>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %1 = stablehlo.add %b, %b : tensor<4xi32>
  %2 = stablehlo.add %c, %c : tensor<4xcomplex<f32>>
  %3 = stablehlo.add %d, %d : tensor<4xf16>
  return %0, %1, %2, %3 : tensor<4x4xf64>, tensor<4xi32>, tensor<4xcomplex<f32>>, tensor<4xf16>
}

// -----

func.func @refused(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:0>> {
  // expected-error @+1 {{'stablehlo.uniform_quantize' has the quantized type}}
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5:0>>
}
