// RUN: dxir-opt %s --dxir-decompose=only=acme.outer | FileCheck %s --check-prefixes=CHECK,ONLY
// RUN: dxir-opt %s --dxir-decompose=target=reference | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: dxir-opt %s --dxir-decompose="target=reference kernels=off" | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: dxir-opt %s --dxir-decompose=target=xla-cpu | FileCheck %s --check-prefixes=CHECK,GONE

// CHECK-LABEL: func.func @main
// ONLY-NEXT: stablehlo.composite "acme.inner"
// ONLY-NEXT: stablehlo.negate
// ONLY-NEXT: return
// ONLY: func.func private @inner
// KEPT-NEXT: stablehlo.composite "acme.outer"
// KEPT-NEXT: return
// KEPT: func.func private @outer
// KEPT-NEXT: stablehlo.composite "acme.inner"
// GONE-NEXT: stablehlo.abs
// GONE-NEXT: stablehlo.negate
// GONE-NEXT: return
// GONE-NOT: func.func private
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.outer" %x {decomposition = @outer} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.inner" %x {decomposition = @inner} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
