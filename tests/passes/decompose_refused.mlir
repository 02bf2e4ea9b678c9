// RUN: dxir-opt %s --dxir-decompose=kernels=off --split-input-file --verify-diagnostics

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

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the call of the kernel 'acme_norm' cannot be put back to its composite: @norm is not in the module}}
  %0 = stablehlo.custom_call @acme_norm(%x) {dxir.stands_for = {name = "acme.norm", decomposition = "norm"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{@norm does not take and give what the call does}}
  %0:2 = stablehlo.custom_call @acme_norm(%x) {dxir.stands_for = {name = "acme.norm", decomposition = @norm}} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}
func.func private @norm(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
