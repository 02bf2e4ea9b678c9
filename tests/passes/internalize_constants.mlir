// RUN: dxir-opt %s --dxir-externalize-constants='file=%t.safetensors min-bytes=16' | dxir-opt --dxir-internalize-constants=file=%t.safetensors | FileCheck %s
// RUN: dxir-opt %s --dxir-externalize-constants='file=%t.safetensors min-bytes=16 form=custom-call' | dxir-opt --dxir-internalize-constants=file=%t.safetensors | FileCheck %s

// CHECK-LABEL: func.func private @inner(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = stablehlo.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>)
// CHECK: call @inner(%arg0) :
// CHECK: "stablehlo.if"
// CHECK-NEXT: stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %1 = "stablehlo.if"(%p) ({
    %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    stablehlo.return %c : tensor<4xi32>
  }, {
    %s = stablehlo.constant dense<1> : tensor<4xi32>
    stablehlo.return %s : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}
