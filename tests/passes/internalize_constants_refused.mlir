// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-internalize-constants=file=%t.safetensors

// expected-error @+1 {{dxir.constant is "sha256:12", which names no constant}}
func.func @main(%x: tensor<4xf32> {dxir.constant = "sha256:12"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a call of @dxir.constant with 1 operands and 1 results is no constant}}
  %0 = stablehlo.custom_call @dxir.constant(%x) {api_version = 4 : i32, backend_config = {digest = "sha256:12"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @inner(%x: tensor<4xf32> {dxir.constant = "sha256:4a6652e089777d717c6660f543fbd30ad9d155c07300e89364336adca253ccaf"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the call of @inner gives another value for the constant sha256:4a6652}}
  %0 = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Another target and another attribute are no constants.
func.func @main(%x: tensor<4xf32> {acme.constant = "sha256:12"}) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @acme.constant(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
