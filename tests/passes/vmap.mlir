// RUN: dxir-opt %s "--dxir-vmap=in-axes=1,none size=3" | FileCheck %s
// RUN: dxir-opt %s "--dxir-vmap=in-axes=1,none size=3" "--dxir-vmap=in-axes=1,none size=3" | FileCheck %s
// RUN: dxir-opt %s "--dxir-vmap=in-axes=none out-axes=none size=3 rename-to=same" | FileCheck %s --check-prefix=SAME
// RUN: dxir-opt %s "--dxir-vmap=size=3 out-axes=-1,0 rename-to=main" | FileCheck %s --check-prefix=ENTRY

// The batch is axis 1 of the first input, not sharded, and axis 0 of the results.
// CHECK: func.func @main(
// CHECK: func.func public @main_vmap(%arg0: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
// CHECK-SAME: dxir.made_by = {by = "dxir-vmap{in-axes=1,none size=3}"
// CHECK: stablehlo.transpose %arg0, dims = [1, 0]
// What does not depend on the batch is computed once.
// CHECK: stablehlo.sine %arg1 : tensor<4xf32>
// CHECK-NOT: func.func

// SAME: func.func public @same(%arg0: tensor<4xf32>
// SAME-NOT: tensor<3x

// ENTRY: func.func private @main_primal(
// ENTRY: func.func public @main(%arg0: tensor<3x4xf32>
// ENTRY-SAME: -> (tensor<4x3xf32>, tensor<3x4xf32>)
sdy.mesh @mesh = <["data"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.sine %y : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<4xf32>
}
