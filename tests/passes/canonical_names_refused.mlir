// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-canonical-names=keep=inner

func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{there is no function or mesh @inner to keep the name of}}
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
