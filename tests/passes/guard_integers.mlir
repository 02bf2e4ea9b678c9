// RUN: dxir-opt %s --split-input-file --dxir-guard-integers | FileCheck %s

// CHECK-LABEL: func.func @divide
// CHECK: %[[ZERO:.*]] = stablehlo.compare EQ, %arg1, %{{.*}}
// CHECK: %[[SAFE:.*]] = stablehlo.select %[[ZERO]], %{{.*}}, %arg1
// CHECK: %[[FOUND:.*]] = stablehlo.divide %arg0, %[[SAFE]]
// CHECK: %[[NONE:.*]] = stablehlo.constant dense<-1>
// CHECK: stablehlo.select %[[ZERO]], %[[NONE]], %[[FOUND]]
func.func @divide(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @remainder
// CHECK: %[[FOUND:.*]] = stablehlo.remainder %arg0, %{{.*}}
// CHECK: stablehlo.select %{{.*}}, %arg0, %[[FOUND]]
func.func @remainder(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.remainder %x, %y : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// CHECK-LABEL: func.func @power
// CHECK: %[[LOW:.*]] = stablehlo.and %arg1, %{{.*}}
// CHECK: stablehlo.power %arg0, %[[LOW]]
// CHECK: stablehlo.shift_right_logical %arg1
// CHECK: stablehlo.power
func.func @power(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.power %x, %y : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: stablehlo.select
// CHECK: return
func.func @left_alone(%x: tensor<4xi32>, %f: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %two = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %0 = stablehlo.divide %x, %two : tensor<4xi32>
  %1 = stablehlo.power %0, %two : tensor<4xi32>
  %2 = stablehlo.divide %f, %f : tensor<4xf32>
  %3 = stablehlo.power %2, %f : tensor<4xf32>
  return %1, %3 : tensor<4xi32>, tensor<4xf32>
}
