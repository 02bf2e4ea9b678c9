// RUN: not dxir-verify %s -j0 --no-config --no-cache | FileCheck %s
// RUN: dxir-verify %s -j0 --no-config --no-cache --fail-on=error
// RUN: not dxir-verify - -j0 --no-config --no-cache --stdin-name=model.mlir < %s | FileCheck %s --check-prefix=STDIN
// RUN: not dxir-verify %s -j0 --no-config --no-cache --statistics | FileCheck %s --check-prefix=COUNTED

// CHECK: verify.mlir:[[# @LINE + 13]]:3: warning[structure-function-terminator]: the function @main ends in stablehlo.return
// CHECK-NEXT: |
// CHECK-NEXT: | stablehlo.return %0
// CHECK-NEXT: | ^
// CHECK: hint: end the function in func.return
// CHECK: 1 file checked: 1 warning in 1 file; 1 allowed

// STDIN: model.mlir:19:3: warning[structure-function-terminator]

// COUNTED: 1  structure-function-terminator: warning

func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = func.call @allowed(%a) : (tensor<f32>) -> tensor<f32>
  stablehlo.return %0 : tensor<f32>
}

func.func private @allowed(%a: tensor<f32>) -> tensor<f32> {
  // dxir-verify: allow(structure-function-terminator) an example
  stablehlo.return %a : tensor<f32>
}
