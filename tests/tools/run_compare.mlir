// What backends make of a program, held against each other.
//
// RUN: dxir-run %s --random --compare=xla-cpu,interpreter,reference | FileCheck %s
// RUN: not dxir-run %s --random --compare=xla-cpu,reference --rtol=0 | FileCheck %s --check-prefix=OFF
// RUN: not dxir-run %s --random --compare=xla-cpu,refrence 2>&1 | FileCheck %s --check-prefix=NAME

// CHECK: judged by reference
// CHECK: xla-cpu {{ *}}0 {{ *}}close
// CHECK: interpreter {{ *}}0
// OFF: xla-cpu {{ *}}0 {{ *}}off {{ *}}{{[0-9]+}} of 1000
// OFF: xla-cpu diverges first in exp{{.*}} at {{.*}}run_compare.mlir:17:8
// OFF: operand 0: f32[1000]
// NAME: error: there is no backend 'refrence'
// NAME: note: did you mean 'reference'?

func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = stablehlo.exponential %x : tensor<1000xf32>
  %1 = stablehlo.sine %0 : tensor<1000xf32>
  return %1 : tensor<1000xf32>
}
