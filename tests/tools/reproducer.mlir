// A failing pass leaves a module that carries its pipeline, and that fails in the same way.
//
// RUN: not dxir-opt %s --cse --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0' --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: cat %t.mlir | FileCheck %s --check-prefix=FILE
// RUN: not dxir-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not dxir-opt %s --cse --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0' --mlir-pass-pipeline-crash-reproducer=%t.local --mlir-pass-pipeline-local-reproducer 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: cat %t.local | FileCheck %s --check-prefix=LOCAL
// RUN: dxir-opt %s --cse --mlir-pass-pipeline-crash-reproducer=%t.none -o /dev/null
// RUN: not test -e %t.none
// RUN: dxir-opt %s --cse --mlir-generate-reproducer=%t.always | dxir-opt | FileCheck %s
// RUN: dxir-opt %t.always --run-reproducer | FileCheck %s
// RUN: not dxir-opt %s --run-reproducer 2>&1 | FileCheck %s --check-prefix=NONE

// ERROR: error: failed to convert VHLO to v0.9.0
// ERROR: reproducer generated at `{{.*}}`

// FILE: func.func @tan
// FILE: {-#
// FILE: mlir_reproducer: {
// FILE-NEXT: pipeline: "builtin.module(cse,stablehlo-legalize-to-vhlo{{.*}},vhlo-to-version{{.*}}target=0.9.0{{.*}})"
// FILE-NEXT: disable_threading: {{true|false}},
// FILE-NEXT: verify_each: true

// AGAIN: error: failed to convert VHLO to v0.9.0

// LOCAL: vhlo.tan_v2
// LOCAL: pipeline: "builtin.module(vhlo-to-version{{.*}})"

// NONE: error: {{.*}}reproducer

// CHECK: stablehlo.tan
func.func @tan(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
