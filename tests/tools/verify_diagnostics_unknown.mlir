// A diagnostic without a place is expected at @unknown; one of the module around all at line 0.
//
// RUN: dxir-opt %s --split-input-file --verify-diagnostics --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0'
// expected-error @-4 {{failed to convert VHLO to v0.9.0}}

func.func @tan(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{failed to legalize operation 'vhlo.tan_v2' that was explicitly marked illegal}}
  %0 = stablehlo.tan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @unknown {{number of output elements (7) doesn't match}}
func.func @nowhere(%a: tensor<6xf32>) -> tensor<7xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<7xf32> loc(unknown)
  return %0 : tensor<7xf32>
}

// -----

// expected-error @unknown {{failed to convert VHLO to v0.9.0}}
module {
  func.func @tan(%a: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{failed to legalize operation}}
    %0 = stablehlo.tan %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
} loc(unknown)
