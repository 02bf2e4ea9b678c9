// RUN: dxir-opt %s --dxir-differentiate | FileCheck %s
// RUN: dxir-opt %s --dxir-differentiate --dxir-differentiate | FileCheck %s --check-prefix=TWICE
// RUN: dxir-opt %s "--dxir-differentiate=wrt=1 value=false seed=one" | FileCheck %s --check-prefix=GRAD
// RUN: dxir-opt %s "--dxir-differentiate=mode=forward wrt=0" | FileCheck %s --check-prefix=JVP
// RUN: dxir-opt %s "--dxir-differentiate=seed=one wrt=0 rename-to=main" | FileCheck %s --check-prefix=ENTRY
// RUN: dxir-opt %s "--dxir-differentiate=seed=one wrt=0 rename-to=main" "--dxir-differentiate=seed=one wrt=0 rename-to=main" | FileCheck %s --check-prefix=ENTRY

// Meshes, the old function and others stay; what is sharded has sharded cotangents.
// CHECK: sdy.mesh @mesh
// CHECK: func.func @main(%arg0: tensor<4xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>, tf.aliasing_output = 0 : i32}
// CHECK: call @helper
// CHECK: func.func public @main_vjp(
// CHECK-SAME: %arg0: tensor<4xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}
// CHECK-SAME: %arg1: tensor<4xf32>, %arg2: tensor<i32>, %arg3: tensor<4xf32>)
// CHECK-SAME: -> (tensor<4xf32> {jax.result_info = "y"}, tensor<i32>, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, tensor<4xf32>)
// CHECK-SAME: dxir.made_by = {by = "dxir-differentiate"
// CHECK-NOT: stablehlo.sine
// CHECK: func.func private @helper(
// CHECK: func.func private @unknown(

// A second run finds what it would make.
// TWICE-COUNT-1: func.func public @main_vjp
// TWICE-NOT: @main_vjp_vjp

// The gradient alone: the results of the function are not computed.
// GRAD: func.func public @main_grad(%arg0: tensor<4xf32>
// GRAD-SAME: %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> tensor<4xf32>
// GRAD-NOT: stablehlo.add

// JVP: func.func public @main_jvp(%arg0: tensor<4xf32>
// JVP-SAME: %arg3: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> (tensor<4xf32> {jax.result_info = "y"}, tensor<i32>, tensor<4xf32>)
// JVP-SAME: dxir.made_by = {by = "dxir-differentiate{wrt=0 mode=forward}"

// ENTRY: func.func private @main_primal(
// ENTRY: func.func public @main(
// ENTRY-SAME: dxir.made_by
// ENTRY-NOT: func.func public
sdy.mesh @mesh = <["data"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>, jax.buffer_donor = true, tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32> {jax.result_info = "y"}, tensor<i32>) {
  %dead = stablehlo.sine %x : tensor<4xf32>
  %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %y : tensor<4xf32>
  %2 = stablehlo.add %n, %n : tensor<i32>
  return %1, %2 : tensor<4xf32>, tensor<i32>
}

func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What is not called may hold anything.
func.func private @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
