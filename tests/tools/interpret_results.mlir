// Results as stablehlo-translate prints them; arguments, probes and parallel processes.
//
// RUN: dxir-translate --interpret %s --args="[dense<1> : tensor<2xi32>, dense<[2, -5]> : tensor<2xi32>]" | FileCheck %s
// RUN: mkdir -p %t
// RUN: dxir-translate %s -interpret -probe-output-dir=%t -args "[dense<1> : tensor<2xi32>, dense<[2, -5]> : tensor<2xi32>]" -o %t/out
// RUN: FileCheck %s < %t/out
// RUN: FileCheck %s --check-prefix=INDEX < %t/index.csv
// RUN: dxir-translate --interpret %s --args=@%t/probe1.npy,@%t/probe2.npy | FileCheck %s
// RUN: not dxir-translate %s --interpret --args=not_array 2>&1 | FileCheck %s --check-prefix=NOT-ARRAY
// RUN: not dxir-translate %s --interpret --args="[4.0 : f32]" 2>&1 | FileCheck %s --check-prefix=NOT-DENSE
// RUN: not dxir-translate %s --interpret --args=@%t/none 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not dxir-translate %s --interpret --args=@%t/none.npy 2>&1 | FileCheck %s --check-prefix=NO-NPY
// RUN: not dxir-translate %s --interpret --args=@a.npy,@b 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not dxir-translate %s --interpret --args=@a,@b 2>&1 | FileCheck %s --check-prefix=MANY

// INDEX: arg0,tensor<2xi32>,{{.*}}probe1.npy
// INDEX-NEXT: arg1,tensor<2xi32>,{{.*}}probe2.npy
// NOT-ARRAY: error: expected array attribute string for args
// NOT-DENSE: error: expected dense elements attribute for args elements
// NO-FILE: error: failed to read args file
// NO-NPY: error: failed to read NumPy args file
// MIXED: error: cannot mix .npy and non-.npy args files
// MANY: error: expected a single args file

// CHECK:      tensor<2xi32> {
// CHECK-NEXT:   [3, -4]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<i1> {true}
// CHECK-NEXT: tensor<2x0xui8> {
// CHECK-NEXT:   [
// CHECK-NEXT:     [],
// CHECK-NEXT:     []
// CHECK-NEXT:   ]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<1x2x2xf16> {
// CHECK-NEXT:   [
// CHECK-NEXT:     [
// CHECK-NEXT:       [1.000000e+00, -2.500000e+00],
// CHECK-NEXT:       [0x7C00, 3.332520e-01]
// CHECK-NEXT:     ]
// CHECK-NEXT:   ]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<2xcomplex<f64>> {
// CHECK-NEXT: {{\[}}[1.000000e+00, -0.000000e+00], [0x7FF8000000000000, 3.000000e+00]]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<2xf8E4M3FN> {
// CHECK-NEXT:   [1.500000e+00, 0x7F]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<2xi4> {
// CHECK-NEXT:   [-3, 7]
// CHECK-NEXT: }
func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> (tensor<2xi32>, tensor<i1>, tensor<2x0xui8>, tensor<1x2x2xf16>, tensor<2xcomplex<f64>>, tensor<2xf8E4M3FN>, tensor<2xi4>) {
  %0 = interpreter.probe %arg0, probe_id = "arg0" : tensor<2xi32>
  %1 = interpreter.probe %arg1, probe_id = "arg1" : tensor<2xi32>
  %2 = stablehlo.add %0, %1 : tensor<2xi32>
  %3 = stablehlo.constant dense<true> : tensor<i1>
  %4 = stablehlo.constant dense<> : tensor<2x0xui8>
  %5 = stablehlo.constant dense<[[[1.0, -2.5], [0x7C00, 0.333252]]]> : tensor<1x2x2xf16>
  %6 = stablehlo.constant dense<[(1.0, -0.0), (0x7FF8000000000000, 3.0)]> : tensor<2xcomplex<f64>>
  %7 = stablehlo.constant dense<[1.5, 0x7F]> : tensor<2xf8E4M3FN>
  %8 = stablehlo.constant dense<[-3, 7]> : tensor<2xi4>
  return %2, %3, %4, %5, %6, %7, %8 : tensor<2xi32>, tensor<i1>, tensor<2x0xui8>, tensor<1x2x2xf16>, tensor<2xcomplex<f64>>, tensor<2xf8E4M3FN>, tensor<2xi4>
}
