// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-strip-sharding | FileCheck %s
// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-strip-sharding=jax | FileCheck %s --check-prefix=JAX

// CHECK: module attributes {mhlo.frontend_attributes = {other = "1"}, mhlo.num_replicas = 1 : i32} {
// CHECK-NOT: sdy
// CHECK: func.func @match(%arg0: tensor<8x8xf32> {jax.buffer_donor = true}, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT: [[A:%.*]] = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
// CHECK-NEXT: [[B:%.*]] = stablehlo.multiply [[A]], [[A]] : tensor<8x8xf32>
// CHECK-NEXT: [[C:%.*]] = stablehlo.negate [[B]] : tensor<8x8xf32>
// CHECK-NEXT: return [[C]] : tensor<8x8xf32>
// JAX: func.func @match(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> {
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32, mhlo.frontend_attributes = {xla.sdy.meshes = "{}", other = "1"}} {
  sdy.mesh @mesh = <["x"=2, "y"=1]>
  func.func @match(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, jax.buffer_donor = true}, %b: tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy"}} : tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    sdy.sharding_group %1 group_id=0 : tensor<8x8xf32>
    %2 = sdy.named_computation<"square">(%1) (%x: tensor<8x8xf32>) {
      %6 = stablehlo.multiply %x, %x : tensor<8x8xf32>
      sdy.return %6 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"y"} (%x: tensor<8x8xf32>) {
      %6 = stablehlo.negate %x : tensor<8x8xf32>
      sdy.return %6 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = sdy.reshard %3 <@mesh, [{}, {}]> : tensor<8x8xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}

// -----

// Calls and attributes that say nothing of sharding stay.
// CHECK-LABEL: func.func @near_miss(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32>
// CHECK-NEXT: stablehlo.custom_call @other(%arg0) {my.note = "mhlo.sharding"} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: sdy_like
func.func @near_miss(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @other(%x) {my.note = "mhlo.sharding"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @sdy_like(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @refused(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'sdy.manual_computation' computes on one device's part of its operands: without devices it means something else}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%part: tensor<4xf32>) {
    %1 = stablehlo.negate %part : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @refused_call(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' of @SPMDFullToShardShape gives another type than it takes, that of a part}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
