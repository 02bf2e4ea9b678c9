// Functions of complex numbers become arithmetic of their parts; those of real numbers stay.
//
// RUN: stablehlo-opt %s --stablehlo-complex-math-expander | FileCheck %s
// RUN: stablehlo-opt %s --pass-pipeline='func.func(stablehlo-complex-math-expander)' | FileCheck %s

// CHECK-LABEL: func.func @log_plus_one(
// CHECK-NOT: stablehlo.log_plus_one %arg0
// CHECK: %[[RE:.*]] = stablehlo.real %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %[[IM:.*]] = stablehlo.imag %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %[[ARG:.*]] = stablehlo.atan2 %[[IM]], %{{.*}} : tensor<2xf32>
// CHECK: stablehlo.complex %{{.*}}, %[[ARG]] : tensor<2xcomplex<f32>>
func.func @log_plus_one(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.log_plus_one %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @sqrt(
// CHECK-NOT: stablehlo.sqrt %arg0
// CHECK: stablehlo.real %arg0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
// CHECK: %[[R:.*]] = stablehlo.complex %{{.*}}, %{{.*}} : tensor<2xcomplex<f64>>
// CHECK-NEXT: return %[[R]]
func.func @sqrt(%x: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  %0 = stablehlo.sqrt %x : tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// CHECK-LABEL: func.func @real(
// CHECK-NEXT: stablehlo.log_plus_one %arg0 : tensor<2xf32>
// CHECK-NEXT: stablehlo.sqrt
// CHECK-NEXT: return
func.func @real(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log_plus_one %x : tensor<2xf32>
  %1 = stablehlo.sqrt %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
