func.func @main(%x: tensor<1000xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %k = stablehlo.constant dense<7.0> : tensor<f32>   %j = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%y, %j) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
     %c = stablehlo.add %a, %b : tensor<f32>   stablehlo.return %c : tensor<f32> }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}
