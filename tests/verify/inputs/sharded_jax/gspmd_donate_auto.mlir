module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32> {jax.buffer_donor = true, mhlo.sharding = "{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}"}, %arg1: tensor<8x8xf32> {jax.buffer_donor = true, mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"}, %arg2: tensor<8xf32>, %arg3: tensor<8x8xf32>) -> (tensor<8xf32> {jax.result_info = "result['b']"}, tensor<8x8xf32> {jax.result_info = "result['w']"}) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<8xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %4 = stablehlo.multiply %3, %arg3 : tensor<8x8xf32>
    %5 = stablehlo.subtract %arg1, %4 : tensor<8x8xf32>
    return %2, %5 : tensor<8xf32>, tensor<8x8xf32>
  }
}
