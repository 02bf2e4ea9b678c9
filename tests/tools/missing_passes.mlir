// A pass that the original tools have and jaxlib has not is explained, by flag and by pipeline.
//
// RUN: not stablehlo-opt %s --stablehlo-aggressive-simplification 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not stablehlo-opt %s --pass-pipeline='builtin.module(func.func(stablehlo-aggressive-folder))' 2>&1 | FileCheck %s --check-prefix=FOLD
// RUN: not mpmd-opt %s --mpmd-import-pipeline='name-to-mesh-assignment=a@b' 2>&1 | FileCheck %s --check-prefix=MPMD
// RUN: dxir-opt %s --dxir-simplify | FileCheck %s

// FLAG: error: Unknown command line argument '--stablehlo-aggressive-simplification'
// FLAG-NEXT: note: jaxlib {{.*}} does not have it: dxir-simplify does the same kind of work
// FOLD: error: there is no pass called 'stablehlo-aggressive-folder'
// FOLD: dxir-fold does the same kind of work
// MPMD: error: Unknown command line argument '--mpmd-import-pipeline'
// MPMD: it registers no pass of MPMD

// CHECK: return %arg0
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
