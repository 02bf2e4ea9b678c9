// Producer: equinox 0.13.8 on jax 0.12.0.1
// Module: MultiheadAttention with rotary positions
// EXPECT @main: attention=1 rope=2

module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<5x8xf32>) -> (tensor<5x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[1.000000e+00, 1.000000e+00], [0.540302277, 0.999949991], [-0.416146845, 9.998000e-01], [-0.989992499, 0.999550044], [-0.653643608, 0.999200105]]> : tensor<5x2xf32>
    %cst_0 = stablehlo.constant dense<[[0.000000e+00, 0.000000e+00], [0.841470957, 0.00999983306], [0.909297406, 0.0199986659], [1.411200e-01, 2.999550e-02], [-0.756802499, 0.0399893336]]> : tensor<5x2xf32>
    %0 = stablehlo.dot_general %arg0, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %3 = stablehlo.dot_general %arg1, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %6 = stablehlo.dot_general %arg2, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<5x8xf32>) -> tensor<5x2x4xf32>
    %9 = stablehlo.reshape %cst : (tensor<5x2xf32>) -> tensor<1x5x1x2xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<1x5x2x2xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x5x2x2xf32>) -> tensor<5x4xf32>
    %12 = stablehlo.reshape %cst_0 : (tensor<5x2xf32>) -> tensor<1x5x1x2xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<1x5x2x2xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x5x2x2xf32>) -> tensor<5x4xf32>
    %15 = stablehlo.slice %2 [0:5, 0:2, 2:4] : (tensor<5x2x4xf32>) -> tensor<5x2x2xf32>
    %16 = stablehlo.negate %15 : tensor<5x2x2xf32>
    %17 = stablehlo.slice %2 [0:5, 0:2, 0:2] : (tensor<5x2x4xf32>) -> tensor<5x2x2xf32>
    %18 = stablehlo.transpose %16, dims = [1, 0, 2] : (tensor<5x2x2xf32>) -> tensor<2x5x2xf32>
    %19 = stablehlo.transpose %17, dims = [1, 0, 2] : (tensor<5x2x2xf32>) -> tensor<2x5x2xf32>
    %20 = stablehlo.concatenate %18, %19, dim = 2 : (tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x4xf32>
    %21 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %22 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %24 = stablehlo.multiply %21, %23 : tensor<2x5x4xf32>
    %25 = stablehlo.broadcast_in_dim %14, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %27 = stablehlo.multiply %20, %26 : tensor<2x5x4xf32>
    %28 = stablehlo.add %24, %27 : tensor<2x5x4xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %30 = stablehlo.reshape %cst : (tensor<5x2xf32>) -> tensor<1x5x1x2xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<1x5x2x2xf32>
    %32 = stablehlo.reshape %31 : (tensor<1x5x2x2xf32>) -> tensor<5x4xf32>
    %33 = stablehlo.reshape %cst_0 : (tensor<5x2xf32>) -> tensor<1x5x1x2xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<1x5x1x2xf32>) -> tensor<1x5x2x2xf32>
    %35 = stablehlo.reshape %34 : (tensor<1x5x2x2xf32>) -> tensor<5x4xf32>
    %36 = stablehlo.slice %5 [0:5, 0:2, 2:4] : (tensor<5x2x4xf32>) -> tensor<5x2x2xf32>
    %37 = stablehlo.negate %36 : tensor<5x2x2xf32>
    %38 = stablehlo.slice %5 [0:5, 0:2, 0:2] : (tensor<5x2x4xf32>) -> tensor<5x2x2xf32>
    %39 = stablehlo.transpose %37, dims = [1, 0, 2] : (tensor<5x2x2xf32>) -> tensor<2x5x2xf32>
    %40 = stablehlo.transpose %38, dims = [1, 0, 2] : (tensor<5x2x2xf32>) -> tensor<2x5x2xf32>
    %41 = stablehlo.concatenate %39, %40, dim = 2 : (tensor<2x5x2xf32>, tensor<2x5x2xf32>) -> tensor<2x5x4xf32>
    %42 = stablehlo.transpose %5, dims = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %43 = stablehlo.broadcast_in_dim %32, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %45 = stablehlo.multiply %42, %44 : tensor<2x5x4xf32>
    %46 = stablehlo.broadcast_in_dim %35, dims = [1, 2] : (tensor<5x4xf32>) -> tensor<1x5x4xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<1x5x4xf32>) -> tensor<2x5x4xf32>
    %48 = stablehlo.multiply %41, %47 : tensor<2x5x4xf32>
    %49 = stablehlo.add %45, %48 : tensor<2x5x4xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x2x4xf32>
    %52 = stablehlo.divide %29, %51 : tensor<5x2x4xf32>
    %53 = stablehlo.dot_general %52, %50, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<5x2x4xf32>, tensor<5x2x4xf32>) -> tensor<2x5x5xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %56 = stablehlo.maximum %55, %54 : tensor<2x5xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %59 = stablehlo.subtract %53, %58 : tensor<2x5x5xf32>
    %60 = stablehlo.exponential %59 : tensor<2x5x5xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
    %64 = stablehlo.divide %60, %63 : tensor<2x5x5xf32>
    %65 = stablehlo.dot_general %64, %8, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
    %66 = stablehlo.transpose %65, dims = [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
    %67 = stablehlo.reshape %66 : (tensor<5x2x4xf32>) -> tensor<5x8xf32>
    %68 = stablehlo.dot_general %arg3, %67, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<8x5xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
    return %69 : tensor<5x8xf32>
  }
}
