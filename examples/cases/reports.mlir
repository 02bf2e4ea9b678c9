// Small modules after public bug reports, one for each; split at the marker lines.

// -----
// iree-org/iree#19852 (also openxla/stablehlo#680)
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// openxla/stablehlo#1662
func.func @main(%x: tensor<1000xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %k = stablehlo.constant dense<7.0> : tensor<f32>   %j = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0] : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%y, %j) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
     %c = stablehlo.add %a, %b : tensor<f32>   stablehlo.return %c : tensor<f32> }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}

// -----
// tensorflow/tensorflow#119438, jax-ml/jax#21397
func.func @main(%x: tensor<6xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %v, %k = chlo.top_k(%x, k = 4) : tensor<6xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return %v, %k : tensor<4xf32>, tensor<4xi32>
}

// -----
// tenstorrent/tt-mlir#9211, elixir-nx/nx#838
func.func @main(%x: tensor<4x2xf32>, %ix: tensor<4x1xi32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.gather"(%x, %ix) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<4x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----
// openxla/xla#47398
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>

// -----
// jax-ml/jax#26605
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {idx = array<i32: 0, 1, 2>}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// iree-org/iree#14837, openxla/stablehlo#2817
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}

// -----
// openxla/stablehlo#394, openxla/stablehlo#508, openxla/stablehlo#491
func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x4xi32>, %c: tensor<?x5xi32>, %i: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %0:3 = "stablehlo.reduce"(%a, %b, %c, %i, %i, %i) <{dimensions = array<i64: 0, 1>}> ({
   ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>, %w: tensor<i32>):
     stablehlo.return %x, %y, %z : tensor<i32>, tensor<i32>, tensor<i32>
  }) : (tensor<?x?xi32>, tensor<?x4xi32>, tensor<?x5xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}

// -----
// EnzymeAD/Reactant.jl#1020
sdy.mesh @mesh = <["x"=3, "y"=4]>
func.func @main(%y: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<5x4xf32> {
  return %y : tensor<5x4xf32>
}

// -----
// openxla/stablehlo#2633
func.func @main(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.and %x, %one : tensor<2xi32>   %1 = stablehlo.or %x, %one : tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// -----
// jax-ml/jax#25346, aws-neuron/aws-neuron-sdk#1026
func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
// pytorch/xla#8200, openxla/stablehlo#2869
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = stablehlo.add %x, %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
