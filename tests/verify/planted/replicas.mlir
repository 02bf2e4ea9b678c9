// Data parallel over four replicas, each with a batch of its own.
module @replicas attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func @main(%w: tensor<8x8xf32>, %x: tensor<2x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x8xf32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %1 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0] : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
    %4 = "stablehlo.all_to_all"(%3) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<2x16xf32>
    %5 = stablehlo.slice %4 [0:2, 0:8] : (tensor<2x16xf32>) -> tensor<2x8xf32>
    %6 = "stablehlo.collective_permute"(%5) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %quarter = stablehlo.constant dense<0.25> : tensor<8x8xf32>
    %7 = stablehlo.multiply %2, %quarter : tensor<8x8xf32>
    return %7, %1, %6 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x8xf32>
  }
}
