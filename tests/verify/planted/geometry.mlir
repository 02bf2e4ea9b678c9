// Activations, norms and distances, as an emitter with names of its own writes them.
module @geometry {
  func.func @main(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>, %w: tensor<64x64xf32>) -> (tensor<8xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x8xf32>) {
    %d = call @distance(%a, %b) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8xf32>
    %u = call @unit(%a) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %h = stablehlo.dot_general %u, %w, contracting_dims = [1] x [0] : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
    %g = call @gelu(%h) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %n = call @standardized(%g) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %e = call @elu(%n) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %p = call @pairwise(%a, %b) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x8xf32>
    return %d, %e, %u, %p : tensor<8xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x8xf32>
  }
  func.func private @distance(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>) -> tensor<8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %apart = stablehlo.subtract %a, %b : tensor<8x64xf32>
    %squares = stablehlo.multiply %apart, %apart : tensor<8x64xf32>
    %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %root = stablehlo.sqrt %sum : tensor<8xf32>
    return %root : tensor<8xf32>
  }
  func.func private @pairwise(%a: tensor<8x64xf32>, %b: tensor<8x64xf32>) -> tensor<8x8xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %x = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<8x64xf32>) -> tensor<8x8x64xf32>
    %y = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<8x8x64xf32>
    %apart = stablehlo.subtract %x, %y : tensor<8x8x64xf32>
    %squares = stablehlo.multiply %apart, %apart : tensor<8x8x64xf32>
    %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<8x8x64xf32>, tensor<f32>) -> tensor<8x8xf32>
    %root = stablehlo.sqrt %sum : tensor<8x8xf32>
    return %root : tensor<8x8xf32>
  }
  func.func private @unit(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %squares = stablehlo.multiply %a, %a : tensor<8x64xf32>
    %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %eps = stablehlo.constant dense<1.0e-12> : tensor<8xf32>
    %more = stablehlo.add %sum, %eps : tensor<8xf32>
    %length = stablehlo.sqrt %more : tensor<8xf32>
    %lengths = stablehlo.broadcast_in_dim %length, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
    %y = stablehlo.divide %a, %lengths : tensor<8x64xf32>
    return %y : tensor<8x64xf32>
  }
  func.func private @gelu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %half = stablehlo.constant dense<5.0e-01> : tensor<8x64xf32>
    %root = stablehlo.constant dense<-0.707106769> : tensor<8x64xf32>
    %scaled = stablehlo.multiply %x, %root : tensor<8x64xf32>
    %tail = chlo.erfc %scaled : tensor<8x64xf32> -> tensor<8x64xf32>
    %part = stablehlo.multiply %half, %x : tensor<8x64xf32>
    %y = stablehlo.multiply %part, %tail : tensor<8x64xf32>
    return %y : tensor<8x64xf32>
  }
  func.func private @standardized(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %share = stablehlo.constant dense<1.562500e-02> : tensor<8xf32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %mean = stablehlo.multiply %sum, %share : tensor<8xf32>
    %means = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
    %apart = stablehlo.subtract %x, %means : tensor<8x64xf32>
    %squares = stablehlo.multiply %apart, %apart : tensor<8x64xf32>
    %total = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x64xf32>, tensor<f32>) -> tensor<8xf32>
    %variance = stablehlo.multiply %total, %share : tensor<8xf32>
    %eps = stablehlo.constant dense<1.0e-05> : tensor<8xf32>
    %more = stablehlo.add %variance, %eps : tensor<8xf32>
    %factor = stablehlo.rsqrt %more : tensor<8xf32>
    %factors = stablehlo.broadcast_in_dim %factor, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
    %y = stablehlo.multiply %apart, %factors : tensor<8x64xf32>
    return %y : tensor<8x64xf32>
  }
  func.func private @elu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<8x64xf32>
    %up = stablehlo.compare GT, %x, %zero : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xi1>
    %below = stablehlo.minimum %x, %zero : tensor<8x64xf32>
    %e = stablehlo.exponential_minus_one %below : tensor<8x64xf32>
    %y = stablehlo.select %up, %x, %e : tensor<8x64xi1>, tensor<8x64xf32>
    return %y : tensor<8x64xf32>
  }
}
