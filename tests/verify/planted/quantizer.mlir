// Weights of 8 bits: quantized, multiplied in 32 bits, and counted.
module @quantizer {
  func.func @main(%x: tensor<4x256xf32>, %w: tensor<256x16xi8>, %scale: tensor<f32>) -> (tensor<4x16xf32>, tensor<4xi32>, tensor<4x256xi8>) {
    %inverse = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4x256xf32>
    %scaled = stablehlo.multiply %x, %inverse : tensor<4x256xf32>
    %rounded = stablehlo.round_nearest_even %scaled : tensor<4x256xf32>
    %low = stablehlo.constant dense<-128.0> : tensor<f32>
    %high = stablehlo.constant dense<127.0> : tensor<f32>
    %clamped = stablehlo.clamp %low, %rounded, %high : (tensor<f32>, tensor<4x256xf32>, tensor<f32>) -> tensor<4x256xf32>
    %q = stablehlo.convert %clamped : (tensor<4x256xf32>) -> tensor<4x256xi8>
    %acc = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<4x256xi8>, tensor<256x16xi8>) -> tensor<4x16xi32>
    %float = stablehlo.convert %acc : (tensor<4x16xi32>) -> tensor<4x16xf32>
    %back = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %y = stablehlo.divide %float, %back : tensor<4x16xf32>
    %none = stablehlo.constant dense<0> : tensor<4x256xi8>
    %some = stablehlo.compare NE, %q, %none : (tensor<4x256xi8>, tensor<4x256xi8>) -> tensor<4x256xi1>
    %wide = stablehlo.convert %some : (tensor<4x256xi1>) -> tensor<4x256xi32>
    %nothing = stablehlo.constant dense<0> : tensor<i32>
    %count = stablehlo.reduce(%wide init: %nothing) applies stablehlo.add across dimensions = [1] : (tensor<4x256xi32>, tensor<i32>) -> tensor<4xi32>
    return %y, %count, %q : tensor<4x16xf32>, tensor<4xi32>, tensor<4x256xi8>
  }
}
