// A step for four partitions, in the words of XLA's older partitioner.
module @gspmd_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%w: tensor<64x32xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}", tf.aliasing_output = 0 : i32}, %x: tensor<16x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %y: tensor<16x32xf32> {jax.buffer_donor = true, mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<64x32xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, tensor<16x32xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %2 = stablehlo.subtract %1, %y : tensor<16x32xf32>
    %3 = stablehlo.dot_general %x, %2, contracting_dims = [0] x [0] : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %rate = stablehlo.constant dense<1.0e-03> : tensor<64x32xf32>
    %4 = stablehlo.multiply %rate, %3 : tensor<64x32xf32>
    %5 = stablehlo.subtract %w, %4 : tensor<64x32xf32>
    return %5, %2 : tensor<64x32xf32>, tensor<16x32xf32>
  }
}
