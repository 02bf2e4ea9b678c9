// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-specialize='shapes="3x4"'

func.func @main(%x: tensor<?x4xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  // expected-error @+1 {{stablehlo.dynamic_broadcast_in_dim stayed dynamic (tensor<?xf32>): its shape depends on argument 1 of @main}}
  %r = stablehlo.dynamic_broadcast_in_dim %c, %s, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// expected-error @+1 {{dimension 1 of argument 0 (tensor<?x5xf32>) is 5, but the shape 3x4 makes it 4}}
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  return %x : tensor<?x5xf32>
}

// -----

func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<4> : tensor<i32>
  %y = stablehlo.compare EQ, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @+1 {{wants 4 rows, not 3}}
  stablehlo.custom_call @shape_assertion(%y, %n) {error_message = "wants 4 rows, not {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?x4xf32>
}
