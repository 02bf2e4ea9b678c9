module {
  func.func public @main(%arg0: tensor<32x64xf32>, %arg1: tensor<32x256xf32>, %arg2: tensor<32x64xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64x64xf32>, %arg7: tensor<64x256xf32>, %arg8: tensor<64x256xf32>, %arg9: tensor<256x64xf32>, %arg10: tensor<64x256xf32>, %arg11: tensor<32x1xf32>, %arg12: tensor<32x1xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<32x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<32xf32>
    %2 = stablehlo.divide %1, %cst_0 : tensor<32xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %4 = stablehlo.add %3, %arg11 : tensor<32x1xf32>
    %5 = stablehlo.rsqrt %4 : tensor<32x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %7 = stablehlo.multiply %arg0, %6 : tensor<32x64xf32>
    %8 = stablehlo.dot_general %7, %arg3, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %9 = stablehlo.dot_general %7, %arg4, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %10 = stablehlo.dot_general %7, %arg5, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %11 = stablehlo.cosine %arg2 : tensor<32x64xf32>
    %12 = stablehlo.sine %arg2 : tensor<32x64xf32>
    %13 = stablehlo.multiply %8, %11 : tensor<32x64xf32>
    %14 = stablehlo.multiply %arg2, %12 : tensor<32x64xf32>
    %15 = stablehlo.subtract %13, %14 : tensor<32x64xf32>
    %16 = stablehlo.transpose %9, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %17 = stablehlo.dot_general %15, %16, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<32xf32>) -> tensor<32x32xf32>
    %20 = stablehlo.subtract %17, %19 : tensor<32x32xf32>
    %21 = stablehlo.exponential %20 : tensor<32x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<32xf32>) -> tensor<32x32xf32>
    %24 = stablehlo.divide %21, %23 : tensor<32x32xf32>
    %25 = stablehlo.dot_general %24, %10, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %26 = stablehlo.dot_general %25, %arg6, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %27 = stablehlo.add %arg0, %26 : tensor<32x64xf32>
    %28 = stablehlo.multiply %27, %27 : tensor<32x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<32xf32>
    %30 = stablehlo.divide %29, %cst_4 : tensor<32xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %32 = stablehlo.add %31, %arg12 : tensor<32x1xf32>
    %33 = stablehlo.rsqrt %32 : tensor<32x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %35 = stablehlo.multiply %27, %34 : tensor<32x64xf32>
    %36 = stablehlo.dot_general %35, %arg7, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %37 = stablehlo.dot_general %35, %arg8, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %38 = stablehlo.logistic %36 : tensor<32x256xf32>
    %39 = stablehlo.multiply %36, %38 : tensor<32x256xf32>
    %40 = stablehlo.multiply %39, %37 : tensor<32x256xf32>
    %41 = stablehlo.dot_general %40, %arg9, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    %42 = stablehlo.add %27, %41 : tensor<32x64xf32>
    %43 = stablehlo.dot_general %42, %arg10, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<32xf32>) -> tensor<32x256xf32>
    %46 = stablehlo.subtract %43, %45 : tensor<32x256xf32>
    %47 = stablehlo.exponential %46 : tensor<32x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<32xf32>) -> tensor<32x256xf32>
    %50 = stablehlo.divide %47, %49 : tensor<32x256xf32>
    %51 = stablehlo.log %50 : tensor<32x256xf32>
    %52 = stablehlo.multiply %arg1, %51 : tensor<32x256xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<f32>
    return %53 : tensor<f32>
  }
}
