// RUN: dxir-opt %s --split-input-file --dxir-partition | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-partition='pad=true decompose=false' | FileCheck %s --check-prefix=WHOLE

// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func.func @main(%arg0: tensor<2x2xf32>
// CHECK-NEXT: stablehlo.dot_general {{.*}} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: "stablehlo.all_reduce"
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A composite is split where it is expanded, and computed whole where it is not.
// CHECK-LABEL: func.func @composed(%arg0: tensor<4xf32>
// CHECK-NEXT: stablehlo.add %arg0, %arg0 : tensor<4xf32>
// WHOLE-LABEL: func.func @composed(%arg0: tensor<4xf32>
// WHOLE-NEXT: "stablehlo.all_gather"
// WHOLE: stablehlo.composite {{.*}} : (tensor<8xf32>) -> tensor<8xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @composed(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.composite "acme.double" %a {decomposition = @double} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @double(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @near_miss(%arg0: tensor<8xf32>) -> tensor<8xf32>
func.func @near_miss(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}
