// Passes of another package: imported by name, watched, bounded, contained.
//
// EXECUTABLES: only
// RUN: cd %S/inputs && dxir-opt --import=acme_passes %s --acme-miscompile | FileCheck %s
// RUN: not dxir-opt %s --import=acme_passes_that_are_not_there 2>&1 | FileCheck %s --check-prefix=NO-MODULE

// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --acme-spin --pass-budget='rewrites=100' 2>&1 | FileCheck %s --check-prefix=SPIN
// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --acme-break 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --acme-refuse='reason="odd"' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: cd %S/inputs && dxir-opt --import=acme_passes %s --acme-refuse --verify-diagnostics | count 0
// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --acme-raise 2>&1 | FileCheck %s --check-prefix=RAISED
// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --acme-abort --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s --check-prefix=ABORTED
// RUN: cat %t.mlir | FileCheck %s --check-prefix=REPRODUCER
// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --acme-sleep --timeout=1 2>&1 | FileCheck %s --check-prefix=LATE

// RUN: cd %S/inputs && dxir-opt --import=acme_passes %s --cse --acme-miscompile --canonicalize --bisect='grep -q stablehlo.add {}' 2>%t.said | FileCheck %s --check-prefix=BEFORE
// RUN: cat %t.said | FileCheck %s --check-prefix=BISECT
// RUN: cd %S/inputs && not dxir-opt --import=acme_passes %s --cse --bisect='no-such-command {}' 2>&1 | FileCheck %s --check-prefix=NO-COMMAND

// NO-MODULE: dxir-opt: error: --import=acme_passes_that_are_not_there: ModuleNotFoundError: No module named

// SPIN: error: the pass acme-spin made more than 100 rewrites
// SPIN-SAME: add_becomes_subtract
// SPIN: note: patterns that undo each other never end

// BROKEN: error: {{.*}}terminator
// BROKEN: the pass acme-break failed

// REFUSED: own_passes.mlir:[[# @LINE + 19]]:{{[0-9]+}}: warning: this will not go well
// REFUSED: own_passes.mlir:[[# @LINE + 18]]:{{[0-9]+}}: error: odd
// REFUSED: note: take another one

// RAISED: error: the pass acme-raise {{.*}}ZeroDivisionError

// ABORTED: dxir-opt: error: the pass acme-abort on {{.*}}own_passes.mlir ended the process with SIGABRT
// REPRODUCER: pipeline: "builtin.module(acme-abort)"
// LATE: error: the pass acme-sleep on {{.*}} did not end in time

// BISECT: the check passes before and fails after pass 2 of 3: {{.*}}acme-miscompile
// BEFORE: stablehlo.add
// BEFORE: pipeline: "{{.*}}acme-miscompile{{.*}}"
// NO-COMMAND: error: {{.*}}no-such-command cannot be run

// CHECK-LABEL: func.func @sum
// CHECK: stablehlo.multiply %arg0, %arg0
// expected-warning @+2 {{this will not go well}}
// expected-error @+1 {{it is not wanted}}
func.func @sum(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
