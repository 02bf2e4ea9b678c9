// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: RotaryPositionalEmbedding
// EXPECT @main: rope=1

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x8xf32>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00], [0.540302277, 0.995004177, 0.999949991, 0.999999523], [-0.416146845, 0.980066597, 9.998000e-01, 0.999997973], [-0.989992499, 0.955336511, 0.999550044, 0.999995529], [-0.653643608, 0.921060979, 0.999200105, 9.999920e-01]]> : tensor<5x4xf32>
    %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.841470957, 0.0998334214, 0.00999983306, 9.99999931E-4], [0.909297406, 0.198669329, 0.0199986659, 0.0019999987], [1.411200e-01, 0.295520216, 2.999550e-02, 0.0029999956], [-0.756802499, 0.389418334, 0.0399893336, 0.00399998948]]> : tensor<5x4xf32>
    %0 = stablehlo.reshape %cst : (tensor<5x4xf32>) -> tensor<1x5x1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x5x1x4xf32>) -> tensor<1x5x2x4xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x5x2x4xf32>) -> tensor<5x8xf32>
    %3 = stablehlo.reshape %cst_0 : (tensor<5x4xf32>) -> tensor<1x5x1x4xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x5x1x4xf32>) -> tensor<1x5x2x4xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x5x2x4xf32>) -> tensor<5x8xf32>
    %6 = stablehlo.slice %arg0 [0:5, 4:8] : (tensor<5x8xf32>) -> tensor<5x4xf32>
    %7 = stablehlo.negate %6 : tensor<5x4xf32>
    %8 = stablehlo.slice %arg0 [0:5, 0:4] : (tensor<5x8xf32>) -> tensor<5x4xf32>
    %9 = stablehlo.concatenate %7, %8, dim = 1 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
    %10 = stablehlo.multiply %arg0, %2 : tensor<5x8xf32>
    %11 = stablehlo.multiply %9, %5 : tensor<5x8xf32>
    %12 = stablehlo.add %10, %11 : tensor<5x8xf32>
    return %12 : tensor<5x8xf32>
  }
}
