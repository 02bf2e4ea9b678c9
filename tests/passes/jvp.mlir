// RUN: dxir-opt %s --dxir-jvp | FileCheck %s
// RUN: dxir-opt %s --dxir-jvp --dxir-jvp | FileCheck %s
// RUN: dxir-opt %s --dxir-jvp --dxir-differentiate=mode=forward | FileCheck %s
// RUN: dxir-opt %s --dxir-differentiate=mode=forward --dxir-jvp | FileCheck %s
// RUN: dxir-opt %s "--dxir-jvp=wrt=1 value=false rename-to=push" | FileCheck %s --check-prefix=PUSH

// CHECK: func.func @main(
// CHECK: func.func public @main_jvp(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-SAME: dxir.made_by = {by = "dxir-differentiate{mode=forward}"
// CHECK-COUNT-3: stablehlo.multiply
// CHECK: stablehlo.add
// CHECK-NOT: func.func

// One tangent, and no results: two of the products are gone.
// PUSH: func.func public @push(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32>
// PUSH-NEXT: %[[T:.*]] = stablehlo.multiply
// PUSH-NEXT: return %[[T]]
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
