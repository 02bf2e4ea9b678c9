// The IR around passes, on standard error, in MLIR's form.
//
// RUN: dxir-opt %s --cse --canonicalize --mlir-print-ir-before-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: dxir-opt %s --cse --canonicalize --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: dxir-opt %s --cse --canonicalize --mlir-print-ir-before=canonicalize -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not='Before CSE'
// RUN: dxir-opt %s --cse --canonicalize --mlir-print-ir-after=cse,canonicalize -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: dxir-opt %s --cse --cse --mlir-print-ir-after-all --mlir-print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: not dxir-opt %S/inputs/tan.mlir --cse --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0' --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefix=FAILURE --implicit-check-not='After CSE'
// RUN: dxir-opt %s --chlo-legalize-to-stablehlo --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: dxir-opt %s --chlo-legalize-to-stablehlo --mlir-print-ir-after-all --mlir-print-ir-module-scope -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: dxir-opt %s --cse --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t -o /dev/null
// RUN: cat %t/builtin_module_no-symbol-name/0_cse.mlir | FileCheck %s --check-prefix=TREE
// RUN: dxir-opt %s --dxir-decompose --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=OURS
// RUN: dxir-opt %s --cse --mlir-print-ir-after-all | FileCheck %s --check-prefix=STDOUT

// BEFORE: // -----// IR Dump Before CSE{{.*}}cse{{.*}} //----- //
// BEFORE-NEXT: module {
// BEFORE: stablehlo.tanh
// BEFORE: stablehlo.tanh
// BEFORE: // -----// IR Dump Before Canonicalizer{{.*}}canonicalize{{.*}} //----- //
// BEFORE: stablehlo.tanh
// BEFORE-NOT: stablehlo.tanh

// AFTER: // -----// IR Dump After CSE{{.*}}cse{{.*}} //----- //
// AFTER: stablehlo.tanh
// AFTER-NOT: stablehlo.tanh
// AFTER: // -----// IR Dump After Canonicalizer{{.*}}canonicalize{{.*}} //----- //

// ONE: // -----// IR Dump Before Canonicalizer{{.*}}canonicalize{{.*}} //----- //

// CHANGE: // -----// IR Dump After CSE{{.*}}cse{{.*}} //----- //
// CHANGE-NOT: IR Dump After CSE{{.*}}

// FAILURE: // -----// IR Dump After {{.*}} Failed{{.*}}vhlo-to-version{{.*}} //----- //

// FUNCTION: // -----// IR Dump After {{.*}}chlo-legalize-to-stablehlo{{.*}} //----- //
// FUNCTION-NEXT: func.func @twice

// MODULE: // -----// IR Dump After {{.*}}chlo-legalize-to-stablehlo{{.*}} ('func.func' operation: @twice) //----- //
// MODULE-NEXT: module {

// TREE: // -----// IR Dump After CSE{{.*}}cse{{.*}} //----- //
// TREE: func.func @twice

// OURS: // -----// IR Dump After {{.*}}dxir-decompose{{.*}} //----- //
// OURS: func.func @twice

// STDOUT-NOT: IR Dump
// STDOUT: func.func @twice
func.func @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = stablehlo.tanh %a : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
