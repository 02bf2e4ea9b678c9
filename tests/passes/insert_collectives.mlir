// RUN: dxir-opt %s --split-input-file --dxir-propagate --dxir-insert-collectives | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NEXT: stablehlo.dot_general
// CHECK-NEXT: sdy.all_reduce {"y"} {{.*}} : tensor<8x6xf32>
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A slice cuts what is split, so it is gathered before; the other dimension stays split.
// CHECK-LABEL: func.func @cut
// CHECK-NEXT: sdy.all_gather [{"x"}, {}]
// CHECK-NEXT: stablehlo.slice {{.*}}[{}, {"y"}]
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @cut(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.slice %a [2:6, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A sum that starts from 3 would count it on every device; one of 0 does not.
// CHECK-LABEL: func.func @sums
// CHECK: %[[A:.*]] = stablehlo.reduce(%arg0
// CHECK-NEXT: sdy.all_reduce {"x"} %[[A]]
// CHECK-NEXT: %[[G:.*]] = sdy.all_gather [{"x"}] %arg0
// CHECK-NEXT: stablehlo.reduce(%[[G]]
// CHECK-NOT: sdy.all_reduce
sdy.mesh @mesh = <["x"=4]>
func.func @sums(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
