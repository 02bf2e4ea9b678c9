// What `dxir sharding` tells of a module: the sum that a split contraction needs, and what a device holds.
//
// RUN: dxir sharding %s | FileCheck %s
// RUN: dxir sharding %s --with "arg1=[{}, {}]" --with "arg2=[{}, {}]" | FileCheck %s --check-prefix=WITH
// RUN: not dxir sharding %s --with "arg9=[{}, {}]" 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: @main of {{.*}}sharding.mlir, on @mesh <x=2, y=4>
// CHECK: 1 collective: a device sends 384 bytes
// CHECK: 100.0% 384 bytes all_reduce {"y"} of 4 devices f32[4, 16]
// CHECK-NEXT: sharding.mlir:[[#]]:8: the contraction over {"y"} of dot_general at {{.*}}sharding.mlir
// CHECK: parameters 1.25 KiB 4.5 KiB
// CHECK: peak 1.75 KiB 6.5 KiB
// CHECK: %arg1: [{}, {"y"}], f32[16, 8] of f32[16, 32]

// WITH: sent by a device 384 bytes 0 bytes -100%
// WITH: parameters on a device 1.25 KiB 4.25 KiB +240%
// WITH: 4 values that lie differently

// REFUSED: dxir sharding: error: @main has no parameter or result called 'arg9'
// REFUSED: dxir sharding: note: there are arg0, arg1, arg2, result0

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%tokens: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                %w2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %tokens, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}
