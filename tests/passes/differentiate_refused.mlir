// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-differentiate

// Near miss: @other does not lead from inputs to results, and needs no rule.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{2 ops have no derivative}}
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @knows(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @other(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @below {{the module has another @main_vjp}}
func.func @main_vjp(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{main has no parameter with a derivative}}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}
