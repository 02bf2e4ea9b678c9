// What a tool of the original name would know is known, and only that.
//
// RUN: stablehlo-opt %S/inputs/interpreter_op.mlir | FileCheck %s --check-prefix=INTERPRETER
// RUN: not sdy-opt %S/inputs/interpreter_op.mlir 2>&1 | FileCheck %s --check-prefix=NOT-THERE
// RUN: not mlir-opt %S/inputs/interpreter_op.mlir 2>&1 | FileCheck %s --check-prefix=NOT-THERE
// RUN: dxir-opt --flavour=interpreter %S/inputs/interpreter_op.mlir | FileCheck %s --check-prefix=INTERPRETER
// RUN: sdy-opt %S/inputs/sharded.mlir | FileCheck %s --check-prefix=SDY
// RUN: not stablehlo-opt %S/inputs/sharded.mlir 2>&1 | FileCheck %s --check-prefix=NOT-THERE
// RUN: not dxir-opt --flavour=tosa %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// INTERPRETER: interpreter.print %arg0 : tensor<4xf32>
// NOT-THERE: error: {{.+}}
// SDY: sdy.mesh @grid = <["rows"=2]>
// UNKNOWN: Cannot find option named 'tosa'! It is one of dxir, stablehlo, sdy, mpmd, mlir and interpreter
