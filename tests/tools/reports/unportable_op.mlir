// iree#19852: an op without a portable form is named with its place, the version and the way out.
//
// RUN: not dxir-translate --serialize --target=1.0.0 %s -o %t.bc 2>&1 | FileCheck %s

// CHECK: unportable_op.mlir:{{[0-9]+}}:10: error: {{.*}}arith.addf {{.*}}1.0.0
// CHECK: note:
func.func @main(%p: tensor<i1>, %a: tensor<4xf64>) -> tensor<4xf64> {
  %0 = "stablehlo.if"(%p) ({
    %1 = arith.addf %a, %a : tensor<4xf64>
    stablehlo.return %1 : tensor<4xf64>
  }, { stablehlo.return %a : tensor<4xf64> }) : (tensor<i1>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
