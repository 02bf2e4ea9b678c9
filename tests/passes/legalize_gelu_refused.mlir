// RUN: dxir-opt %s --split-input-file --dxir-legalize-gelu='erf=refuse target=acme' --verify-diagnostics

// What is in a GELU goes; it is told, and no error.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning @+1 {{the exact GELU is replaced by the tanh form, as the target acme asks: the two differ by up to 0.00048}}
  %0 = stablehlo.composite "dxir.gelu" %x {composite_attributes = {approximate = "none"}, decomposition = @exact} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @exact(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'chlo.erf' op is not part of a GELU, and the target acme has neither erf nor erfc}}
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'chlo.erfc' op is not part of a GELU}}
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'mhlo.erf' op is not part of a GELU}}
  %0 = stablehlo.custom_call @mhlo.erf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{this dxir.gelu is none of dxir's: it takes 2 values and gives 1}}
  %0 = stablehlo.composite "dxir.gelu" %x, %y {composite_attributes = {approximate = "none"}, decomposition = @two_values} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @two_values(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{the tanh form of dxir.gelu cannot be made for tensor<4xi32>}}
  %0 = stablehlo.composite "dxir.gelu" %x {composite_attributes = {approximate = "none"}, decomposition = @whole} : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func private @whole(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}
