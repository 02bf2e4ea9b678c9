// Which diagnostics are printed, and with what.
//
// RUN: not dxir-opt %s 2>&1 | FileCheck %s
// RUN: not dxir-opt %s --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s --check-prefix=NO-OP --implicit-check-not='see current operation'
// RUN: not dxir-opt %s --mlir-disable-diagnostic-notes 2>&1 | FileCheck %s --check-prefix=NO-NOTE --implicit-check-not='note:'
// RUN: not dxir-opt %s --mlir-diagnostic-verbosity-level=errors 2>&1 | FileCheck %s
// RUN: dxir-opt %S/inputs/composite.mlir --mlir-print-stacktrace-on-diagnostic | FileCheck %s --check-prefix=READ

// CHECK: diagnostics.mlir:[[# @LINE + 18]]:1: error: redefinition of symbol named 'twice'
// CHECK-NEXT: {{^}}func.func @twice(%a: tensor<3xf32>)
// CHECK-NEXT: {{^}}^{{$}}
// CHECK-NEXT: diagnostics.mlir:[[# @LINE + 15]]:1: note: see current operation:
// CHECK-NEXT: "func.func"()
// CHECK: diagnostics.mlir:[[# @LINE + 10]]:1: note: see existing symbol definition here
// CHECK-NEXT: {{^}}func.func @twice(%a: tensor<2xf32>)

// NO-OP: error: redefinition of symbol named 'twice'
// NO-OP: note: see existing symbol definition here

// NO-NOTE: error: redefinition of symbol named 'twice'

// READ: func.func @main

func.func @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @twice(%a: tensor<3xf32>) -> tensor<3xf32> {
  return %a : tensor<3xf32>
}
