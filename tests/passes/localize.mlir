// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-localize | FileCheck %s

// CHECK-NOT: sdy.mesh
// CHECK: func.func @main(%arg0: tensor<2x4xf32> {dxir.lies = {{.*}}, dxir.whole = "tensor<8x4xf32>"}
// CHECK-NEXT: "stablehlo.all_reduce"(%arg0)
// CHECK-SAME: replica_groups = dense<{{\[\[}}0, 1], [2, 3], [4, 5], [6, 7]]>
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: replica_groups = dense<{{\[\[}}0, 2, 4, 6], [1, 3, 5, 7]]>
// CHECK-SAME: (tensor<2x4xf32>) -> tensor<8x4xf32>
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) -> tensor<8x4xf32> {
  %0 = sdy.all_reduce {"y"} %a out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x4xf32>
  %1 = sdy.all_gather [{"x"}, {}] %0 out_sharding=<@mesh, [{}, {}]> : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// Counted numbers are a piece by the number of the device.
// CHECK-LABEL: func.func @counted
// CHECK: stablehlo.partition_id
// CHECK: stablehlo.constant dense<[0, 2]>
// CHECK: stablehlo.iota dim = 0 : tensor<4xf32>
// CHECK: stablehlo.dynamic_slice {{.*}} -> tensor<2xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @counted(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  %1 = stablehlo.add %a, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The body of a manual computation is written for one device, and stays.
// CHECK-LABEL: func.func @manual(%arg0: tensor<2xf32>
// CHECK-NEXT: stablehlo.negate %arg0 : tensor<2xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @manual(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%p: tensor<2xf32>) {
    %1 = stablehlo.negate %p : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=4, "y"=2]>
// expected-error @+1 {{dimension 0 (6) of parameter 0 of @undivided of type f32[6] is not divisible by its axes, "x"=4}}
func.func @undivided(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %a : tensor<6xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @apart(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.add' takes a value that lies <@mesh, [{"x"}]> for a result that lies None}}
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @random(%a: tensor<f32>) -> tensor<4xf32> {
  %s = stablehlo.constant dense<4> : tensor<1xi64>
  // expected-error @+1 {{'stablehlo.rng' gives other numbers on every device, where the whole program has one}}
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @single(%a: tensor<4xf32>) -> tensor<ui32> {
  // expected-error @+1 {{'stablehlo.partition_id' is about single devices, and stands where values are those of all}}
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32>
}
