// As a training framework for the JVM writes it: losses, each in a function of its own.
module @losses attributes {acme.emitter = "0.9"} {
  func.func public @main(%logits: tensor<16x32xf32>, %labels: tensor<16xi32>, %mask: tensor<16xi1>) -> (tensor<f32>, tensor<f32>, tensor<16xf32>) {
    %logp = call @logsoftmax(%logits) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %classes = stablehlo.iota dim = 1 : tensor<16x32xi32>
    %wide = stablehlo.broadcast_in_dim %labels, dims = [0] : (tensor<16xi32>) -> tensor<16x32xi32>
    %hit = stablehlo.compare EQ, %classes, %wide : (tensor<16x32xi32>, tensor<16x32xi32>) -> tensor<16x32xi1>
    %zeros = stablehlo.constant dense<0.0> : tensor<16x32xf32>
    %picked = stablehlo.select %hit, %logp, %zeros : tensor<16x32xi1>, tensor<16x32xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %rows = stablehlo.reduce(%picked init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %loss = stablehlo.negate %rows : tensor<16xf32>
    %mean = call @masked_mean(%loss, %mask) : (tensor<16xf32>, tensor<16xi1>) -> tensor<f32>
    %bce = call @binary(%loss, %mask) : (tensor<16xf32>, tensor<16xi1>) -> tensor<f32>
    %entropy = call @entropy(%logits) : (tensor<16x32xf32>) -> tensor<16xf32>
    return %mean, %bce, %entropy : tensor<f32>, tensor<f32>, tensor<16xf32>
  }
  func.func private @logsoftmax(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %top = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %shifted = stablehlo.subtract %x, %tops : tensor<16x32xf32>
    %powers = stablehlo.exponential %shifted : tensor<16x32xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %log = stablehlo.log %sum : tensor<16xf32>
    %logs = stablehlo.broadcast_in_dim %log, dims = [0] : (tensor<16xf32>) -> tensor<16x32xf32>
    %y = stablehlo.subtract %shifted, %logs : tensor<16x32xf32>
    return %y : tensor<16x32xf32>
  }
  func.func private @masked_mean(%x: tensor<16xf32>, %mask: tensor<16xi1>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.constant dense<0.0> : tensor<16xf32>
    %kept = stablehlo.select %mask, %x, %zeros : tensor<16xi1>, tensor<16xf32>
    %sum = stablehlo.reduce(%kept init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %ones = stablehlo.convert %mask : (tensor<16xi1>) -> tensor<16xf32>
    %count = stablehlo.reduce(%ones init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %least = stablehlo.maximum %count, %one : tensor<f32>
    %mean = stablehlo.divide %sum, %least : tensor<f32>
    return %mean : tensor<f32>
  }
  func.func private @softplus(%x: tensor<16xf32>) -> tensor<16xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<16xf32>
    %up = stablehlo.maximum %x, %zero : tensor<16xf32>
    %abs = stablehlo.abs %x : tensor<16xf32>
    %down = stablehlo.negate %abs : tensor<16xf32>
    %e = stablehlo.exponential %down : tensor<16xf32>
    %l = stablehlo.log_plus_one %e : tensor<16xf32>
    %y = stablehlo.add %up, %l : tensor<16xf32>
    return %y : tensor<16xf32>
  }
  func.func private @binary(%x: tensor<16xf32>, %mask: tensor<16xi1>) -> tensor<f32> {
    %turned = stablehlo.negate %x : tensor<16xf32>
    %no = func.call @softplus(%x) : (tensor<16xf32>) -> tensor<16xf32>
    %yes = func.call @softplus(%turned) : (tensor<16xf32>) -> tensor<16xf32>
    %each = stablehlo.select %mask, %yes, %no : tensor<16xi1>, tensor<16xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%each init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %share = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %mean = stablehlo.multiply %sum, %share : tensor<f32>
    return %mean : tensor<f32>
  }
  func.func private @entropy(%x: tensor<16x32xf32>) -> tensor<16xf32> {
    %logp = func.call @logsoftmax(%x) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %p = stablehlo.exponential %logp : tensor<16x32xf32>
    %each = stablehlo.multiply %p, %logp : tensor<16x32xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%each init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %y = stablehlo.negate %sum : tensor<16xf32>
    return %y : tensor<16xf32>
  }
}
