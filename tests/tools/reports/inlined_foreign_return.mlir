// iree#14837: a function that ends in stablehlo.return verifies, and passes of dxir take it; MLIR's
// inliner ends its process on it, which the tool survives.
//
// EXECUTABLES: only
// RUN: dxir-opt %s --dxir-simplify --dxir-fold --dxir-dce --dxir-share-constants --dxir-decompose --dxir-canonical-names | FileCheck %s
// RUN: not dxir-opt %s --inline 2>&1 | FileCheck %s --check-prefix=INLINE

// INLINE: error: the pass inline {{.*}}ended {{.*}}process with SIG
// CHECK: call @function_0
// CHECK: stablehlo.abs
// CHECK: stablehlo.return
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %a : tensor<2xf32>
  stablehlo.return %0 : tensor<2xf32>
}
