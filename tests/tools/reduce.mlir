// RUN: dxir-reduce %s -q --interesting-if=zero -- grep -q "stablehlo.tanh" | FileCheck %s
// RUN: not dxir-reduce %s -- true 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: func.func @main(%[[X:.*]]: tensor<1x1xf32>) -> tensor<1x1xf32> {
// CHECK-NEXT: %[[Y:.*]] = stablehlo.tanh %[[X]] : tensor<1x1xf32>
// CHECK-NEXT: return %[[Y]] : tensor<1x1xf32>
// CHECK-NEXT: }

// REFUSED: error: the module is not interesting: true ended with exit code 0 and said nothing; wanted is an exit code other than 0

func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  %2 = stablehlo.cosine %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
