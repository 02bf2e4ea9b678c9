// What passes did and how long they took, on standard error, with the output left alone.
//
// RUN: dxir-opt %s --cse --canonicalize --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: dxir-opt %s --cse --cse --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: dxir-opt %s --cse --canonicalize --mlir-timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: dxir-opt %s --cse --chlo-legalize-to-stablehlo --mlir-timing --mlir-timing-display=tree -o /dev/null 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: dxir-opt %s --cse --mlir-timing --mlir-timing-display=list --mlir-pass-statistics 2>%t | FileCheck %s

// STATISTICS: Pass statistics report
// STATISTICS: cse
// STATISTICS: (S) {{ *}}5 ops before
// STATISTICS: (S) {{ *}}4 ops after
// STATISTICS: canonicalize

// LIST: Pass statistics report
// LIST: cse
// LIST: (S) {{ *}}1 ops removed
// LIST-NOT: cse

// TIMING: Execution time report
// TIMING: Total Execution Time: {{[0-9.]+}} seconds
// TIMING: ----Wall Time----
// TIMING-DAG: {{[0-9.]+}} ({{ *[0-9.]+}}%) Parser
// TIMING-DAG: {{[0-9.]+}} ({{ *[0-9.]+}}%) cse
// TIMING-DAG: {{[0-9.]+}} ({{ *[0-9.]+}}%) canonicalize
// TIMING: (100.0%) Total

// TREE: 'func.func' Pipeline
// TREE-NEXT: chlo-legalize-to-stablehlo

// CHECK-LABEL: func.func @twice
// CHECK-NOT: report
func.func @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = stablehlo.tanh %a : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
