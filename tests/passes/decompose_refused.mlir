// RUN: dxir-opt %s --dxir-decompose --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the composite acme.norm cannot be expanded: its decomposition @norm has no body}}
  %0 = stablehlo.composite "acme.norm" %x {decomposition = @norm} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @norm(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.norm" %x {decomposition = @norm} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @norm(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{its decomposition @norm contains this composite itself}}
  %0 = stablehlo.composite "acme.norm" %x {decomposition = @norm} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
