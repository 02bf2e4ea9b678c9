// Producer: flax.nnx 0.12.12 on jax 0.12.0.1
// Module: Conv
// EXPECT: nothing
// MAY @main: conv=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<3x3x8x16xf32>, %arg2: tensor<2x6x6x8xf32>) -> (tensor<2x6x6x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg2, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x6x8xf32>, tensor<3x3x8x16xf32>) -> tensor<2x6x6x16xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<2x6x6x16xf32>
    return %3 : tensor<2x6x6x16xf32>
  }
}
