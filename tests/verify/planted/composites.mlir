// A model as a compiler of composites takes it: each has a decomposition; CHLO where StableHLO has no op.
module @composites attributes {stablehlo.framework = "tool"} {
  func.func public @main(%q: tensor<1x8x64xf32>, %g: tensor<64xf32>, %w: tensor<64x128xf32>) -> (tensor<1x8x128xf32>, tensor<1x8x4xf32>, tensor<1x8x64xf32>) {
    %0 = stablehlo.composite "acme.rms_norm" %q, %g {composite_attributes = {epsilon = 1.0e-06 : f32}, decomposition = @rms_norm, version = 1 : i32} : (tensor<1x8x64xf32>, tensor<64xf32>) -> tensor<1x8x64xf32>
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [2] x [0] : (tensor<1x8x64xf32>, tensor<64x128xf32>) -> tensor<1x8x128xf32>
    %2 = stablehlo.composite "acme.silu" %1 {decomposition = @silu} : (tensor<1x8x128xf32>) -> tensor<1x8x128xf32>
    %3 = stablehlo.composite "acme.silu" %2 {decomposition = @silu_again} : (tensor<1x8x128xf32>) -> tensor<1x8x128xf32>
    %values, %indices = chlo.top_k(%3, k = 4) : tensor<1x8x128xf32> -> (tensor<1x8x4xf32>, tensor<1x8x4xi32>)
    %4 = chlo.erf %0 : tensor<1x8x64xf32> -> tensor<1x8x64xf32>
    %5 = stablehlo.optimization_barrier %4 : tensor<1x8x64xf32>
    return %3, %values, %5 : tensor<1x8x128xf32>, tensor<1x8x4xf32>, tensor<1x8x64xf32>
  }
  func.func private @rms_norm(%x: tensor<1x8x64xf32>, %g: tensor<64xf32>) -> tensor<1x8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.multiply %x, %x : tensor<1x8x64xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x8x64xf32>, tensor<f32>) -> tensor<1x8xf32>
    %n = stablehlo.constant dense<64.0> : tensor<1x8xf32>
    %2 = stablehlo.divide %1, %n : tensor<1x8xf32>
    %eps = stablehlo.constant dense<1.0e-06> : tensor<1x8xf32>
    %3 = stablehlo.add %2, %eps : tensor<1x8xf32>
    %4 = stablehlo.rsqrt %3 : tensor<1x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x64xf32>
    %6 = stablehlo.multiply %x, %5 : tensor<1x8x64xf32>
    %7 = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<64xf32>) -> tensor<1x8x64xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<1x8x64xf32>
    return %8 : tensor<1x8x64xf32>
  }
  func.func private @silu(%x: tensor<1x8x128xf32>) -> tensor<1x8x128xf32> {
    %0 = stablehlo.logistic %x : tensor<1x8x128xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<1x8x128xf32>
    return %1 : tensor<1x8x128xf32>
  }
  func.func private @silu_again(%x: tensor<1x8x128xf32>) -> tensor<1x8x128xf32> {
    %gate = stablehlo.logistic %x : tensor<1x8x128xf32>
    %y = stablehlo.multiply %x, %gate : tensor<1x8x128xf32>
    return %y : tensor<1x8x128xf32>
  }
}
