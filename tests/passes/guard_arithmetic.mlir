// RUN: dxir-opt %s --split-input-file --dxir-guard-arithmetic | FileCheck %s

// CHECK-LABEL: func.func @power
// CHECK: %[[X:.*]] = stablehlo.abs %arg0
// CHECK: %[[Y:.*]] = stablehlo.select %{{.*}}, %{{.*}}, %arg1
// CHECK: stablehlo.power %[[X]], %[[Y]]
// CHECK: return %{{.*}} : tensor<4xf32>
func.func @power(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.power %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @convert
// CHECK: %[[HELD:.*]] = stablehlo.clamp %{{.*}}, %arg0, %{{.*}} : tensor<4xf32>
// CHECK: %[[NAN:.*]] = stablehlo.compare NE, %arg0, %arg0
// CHECK: %[[SAFE:.*]] = stablehlo.select %[[NAN]], %{{.*}}, %[[HELD]]
// CHECK: %[[I:.*]] = stablehlo.convert %[[SAFE]] : (tensor<4xf32>) -> tensor<4xi32>
// CHECK: %[[MOST:.*]] = stablehlo.constant dense<2147483647>
// CHECK: stablehlo.select %{{.*}}, %[[MOST]], %[[I]]
func.func @convert(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @booleans
// CHECK: stablehlo.or %arg0, %arg1
// CHECK: stablehlo.and %arg0, %arg1
// CHECK: %[[NOT:.*]] = stablehlo.not %arg1
// CHECK: stablehlo.and %arg0, %[[NOT]]
func.func @booleans(%x: tensor<4xi1>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %0 = stablehlo.add %x, %y : tensor<4xi1>
  %1 = stablehlo.multiply %x, %y : tensor<4xi1>
  %2 = stablehlo.compare GT, %x, %y : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @angles_and_roots
// CHECK: %[[Y:.*]] = stablehlo.abs %arg0
// CHECK: stablehlo.atan2 %[[Y]]
// CHECK: stablehlo.is_finite %arg1
// CHECK: stablehlo.cbrt
func.func @angles_and_roots(%y: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.atan2 %y, %x : tensor<4xf32>
  %1 = stablehlo.cbrt %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Near misses: integers, complex numbers, unknown sizes, other conversions, sums of numbers.
// CHECK-LABEL: func.func @left
// CHECK-NOT: stablehlo.select
// CHECK-NOT: stablehlo.or
func.func @left(%x: tensor<4xi32>, %z: tensor<4xcomplex<f32>>, %u: tensor<?xf32>) -> (tensor<4xi32>, tensor<4xcomplex<f32>>, tensor<?xi32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi32>) {
  %0 = stablehlo.power %x, %x : tensor<4xi32>
  %1 = stablehlo.power %z, %z : tensor<4xcomplex<f32>>
  %2 = stablehlo.convert %u : (tensor<?xf32>) -> tensor<?xi32>
  %3 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xf32>
  %4 = stablehlo.convert %3 : (tensor<4xf32>) -> tensor<4xi1>
  %5 = stablehlo.add %x, %x : tensor<4xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi32>, tensor<4xcomplex<f32>>, tensor<?xi32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi32>
}
