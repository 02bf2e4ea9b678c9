// Pooling, its gradient, running sums and products: reductions over windows in generic form.
module @windows {
  func.func @main(%x: tensor<1x8x8x4xf32>, %s: tensor<64xf32>, %grad: tensor<1x4x4x4xf32>, %t: tensor<6x10xbf16>) -> (tensor<1x4x4x4xf32>, tensor<1x8x8x4xf32>, tensor<64xf32>, tensor<f32>, tensor<i1>, tensor<6xbf16>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %pooled = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
    %back = "stablehlo.select_and_scatter"(%x, %grad, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x8x8x4xf32>
    %running = "stablehlo.reduce_window"(%s, %zero) <{padding = dense<[[63, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
    %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %product = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %finite = stablehlo.is_finite %s : (tensor<64xf32>) -> tensor<64xi1>
    %true = stablehlo.constant dense<true> : tensor<i1>
    %all = stablehlo.reduce(%finite init: %true) applies stablehlo.and across dimensions = [0] : (tensor<64xi1>, tensor<i1>) -> tensor<i1>
    %least = stablehlo.constant dense<0x7F80> : tensor<bf16>
    %small = stablehlo.reduce(%t init: %least) applies stablehlo.minimum across dimensions = [1] : (tensor<6x10xbf16>, tensor<bf16>) -> tensor<6xbf16>
    return %pooled, %back, %running, %product, %all, %small : tensor<1x4x4x4xf32>, tensor<1x8x8x4xf32>, tensor<64xf32>, tensor<f32>, tensor<i1>, tensor<6xbf16>
  }
}
