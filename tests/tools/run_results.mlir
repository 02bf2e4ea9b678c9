// Results as text, arguments in all their forms, and files in and out.
//
// RUN: dxir-run %s --arg "[1, 2, 3]" --arg 0.5 | FileCheck %s
// RUN: dxir-run %s --backend=interpreter --arg scale=0.5 --arg "x=dense<[1.0, 2.0, 3.0]> : tensor<3xf32>" | FileCheck %s
// RUN: dxir-run %s --backend reference --arg 1=0.5 --arg "[0x3F800000, 2e0, 3.]" | FileCheck %s
// RUN: dxir-translate --serialize %s | dxir-run --arg "[1, 2, 3]" --arg 0.5 | FileCheck %s
// RUN: dxir-run %s --arg "[1, 2, 3]" --arg 0.5 -o %t/out | FileCheck %s --check-prefix=FILES
// RUN: dxir-run %s --arg %t/out/scaled.npy --arg 1 | FileCheck %s --check-prefix=AGAIN
// RUN: dxir-run %s --arg "[1, 2, 3]" --arg 0.5 -o %t/out --format=safetensors -q | count 0
// RUN: dxir-run %s --arg %t/out/results.safetensors:scaled --arg ones | FileCheck %s --check-prefix=AGAIN
// RUN: dxir-run %s --arg "[1, 2, 3]" --arg 0.5 -o %t/out --format=npz -q
// RUN: dxir-run %s --arg %t/out/results.npz:scaled --arg ones | FileCheck %s --check-prefix=AGAIN
// RUN: dxir-run %s --arg "[1, 2, 3]" --arg 0.5 > %t/printed.txt
// RUN: dxir-run %s --function double --arg "[1, 2, 3]" | FileCheck %s --check-prefix=DOUBLE
// RUN: dxir-run %s --random=3 > %t/a
// RUN: dxir-run %s --random=3 --backend=reference > %t/b
// RUN: cmp %t/a %t/b
// RUN: dxir-run %s --random --json --time --repeat=3 -q | FileCheck %s --check-prefix=JSON
// RUN: not dxir-run %s --arg 1 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not dxir-run %s --arg 1 --arg x=2 --arg x=3 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not dxir-run %s --arg y=3 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not dxir-run %s --function nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not dxir-run %s --backend=xla-cup 2>&1 | FileCheck %s --check-prefix=BACKEND

// CHECK:      tensor<3xf32> {
// CHECK-NEXT:   [5.000000e-01, 1.000000e+00, 1.500000e+00]
// CHECK-NEXT: }
// CHECK-NEXT: tensor<i1> {true}
// FILES: scaled: f32[3] in {{.*}}scaled.npy
// FILES: large: i1[] in {{.*}}large.npy
// AGAIN: [5.000000e-01, 1.000000e+00, 1.500000e+00]
// DOUBLE: [2.000000e+00, 4.000000e+00, 6.000000e+00]
// JSON: "backend": "xla-cpu",
// JSON: "name": "scaled",
// JSON-NEXT: "type": "f32[3]"
// JSON: "median":
// MISSING: dxir-run: error: parameter 1 (scale) takes f32[], and is given nothing
// MISSING: note: --arg gives it: {{.*}}; --random fills in all that is left
// TWICE: error: --arg gives parameter 0 (x) twice
// NAME: error: --arg y=...: no parameter is called 'y'
// NOTHING: error: --function: @nothing is not there
// NOTHING: note: there are @main, @double
// BACKEND: error: there is no backend 'xla-cup'
// BACKEND: note: did you mean 'xla-cpu'?

func.func @main(%x: tensor<3xf32> loc("x"), %scale: tensor<f32> loc("scale"))
    -> (tensor<3xf32> {jax.result_info = "['scaled']"}, tensor<i1> {jax.result_info = "large"}) {
  %0 = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<3xf32>
  %2 = stablehlo.compare LT, %scale, %scale : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.not %2 : tensor<i1>
  return %1, %3 : tensor<3xf32>, tensor<i1>
}
func.func private @double(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
