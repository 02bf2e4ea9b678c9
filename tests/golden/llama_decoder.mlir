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
    %18 = stablehlo.composite "dxir.softmax" %17 {composite_attributes = {axis = 1 : i64, masked = false}, decomposition = @dxir.softmax, version = 1 : i32} : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %19 = stablehlo.dot_general %18, %10, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %20 = stablehlo.dot_general %19, %arg6, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
    %21 = stablehlo.add %arg0, %20 : tensor<32x64xf32>
    %22 = stablehlo.multiply %21, %21 : tensor<32x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<32xf32>
    %24 = stablehlo.divide %23, %cst_2 : tensor<32xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %26 = stablehlo.add %25, %arg12 : tensor<32x1xf32>
    %27 = stablehlo.rsqrt %26 : tensor<32x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %29 = stablehlo.multiply %21, %28 : tensor<32x64xf32>
    %30 = stablehlo.dot_general %29, %arg7, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %31 = stablehlo.dot_general %29, %arg8, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %32 = stablehlo.composite "dxir.silu" %30 {decomposition = @dxir.silu, version = 1 : i32} : (tensor<32x256xf32>) -> tensor<32x256xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<32x256xf32>
    %34 = stablehlo.dot_general %33, %arg9, contracting_dims = [1] x [0] : (tensor<32x256xf32>, tensor<256x64xf32>) -> tensor<32x64xf32>
    %35 = stablehlo.add %21, %34 : tensor<32x64xf32>
    %36 = stablehlo.dot_general %35, %arg10, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<32x256xf32>
    %37 = stablehlo.composite "dxir.softmax" %36 {composite_attributes = {axis = 1 : i64, masked = false}, decomposition = @dxir.softmax_1, version = 1 : i32} : (tensor<32x256xf32>) -> tensor<32x256xf32>
    %38 = stablehlo.log %37 : tensor<32x256xf32>
    %39 = stablehlo.multiply %arg1, %38 : tensor<32x256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<f32>
    return %40 : tensor<f32>
  }
  func.func private @dxir.softmax(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<32xf32>) -> tensor<32x32xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<32x32xf32>
    %3 = stablehlo.exponential %2 : tensor<32x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<32xf32>) -> tensor<32x32xf32>
    %6 = stablehlo.divide %3, %5 : tensor<32x32xf32>
    return %6 : tensor<32x32xf32>
  }
  func.func private @dxir.silu(%arg0: tensor<32x256xf32>) -> tensor<32x256xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<32x256xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<32x256xf32>
    return %1 : tensor<32x256xf32>
  }
  func.func private @dxir.softmax_1(%arg0: tensor<32x256xf32>) -> tensor<32x256xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<32xf32>) -> tensor<32x256xf32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<32x256xf32>
    %3 = stablehlo.exponential %2 : tensor<32x256xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<32xf32>) -> tensor<32x256xf32>
    %6 = stablehlo.divide %3, %5 : tensor<32x256xf32>
    return %6 : tensor<32x256xf32>
  }
}
