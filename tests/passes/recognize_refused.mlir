// RUN: not dxir-opt %s --dxir-recognize=patterns=softmx 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not dxir-opt %s --dxir-recognize=without=zzzzzz 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not dxir-opt %s --dxir-recognize=near-misses=perhaps 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: dxir-opt %s '--dxir-recognize=near-misses=true patterns=softmax,silu,layer_norm' --split-input-file --verify-diagnostics

// PATTERN: there is no pattern 'softmx'
// PATTERN: did you mean softmax
// WITHOUT: there is no pattern 'zzzzzz'
// WITHOUT: `dxir patterns` lists them all
// FLAG: the option near-misses of dxir-recognize

func.func @other_axis(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<4x4xf32>
  %3 = stablehlo.exponential %2 : tensor<4x4xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>
  // expected-remark @+1 {{nearly softmax: softmax over axis 1, but its sum reduces axis 0}}
  %6 = stablehlo.divide %3, %5 : tensor<4x4xf32>
  return %6 : tensor<4x4xf32>
}

// -----

func.func @other_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  %2 = stablehlo.add %1, %two : tensor<4xf32>
  // expected-remark @+1 {{nearly silu: a constant is 2, not 1}}
  %3 = stablehlo.divide %x, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// A match leaves no remark behind, and what is far from any pattern leaves none either.
func.func @silent(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
  %2 = stablehlo.sine %x : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
