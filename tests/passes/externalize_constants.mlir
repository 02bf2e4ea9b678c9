// RUN: dxir-opt %s --dxir-externalize-constants='file=%t.safetensors min-bytes=16' | FileCheck %s
// RUN: dxir-opt %s --dxir-externalize-constants='file=%t.irpa min-bytes=16 form=custom-call' | FileCheck %s --check-prefix=CALL
// RUN: dxir-opt %s --allow-unregistered-dialect --dxir-externalize-constants='file=%t.2.irpa min-bytes=16 form=iree scope=model' | FileCheck %s --check-prefix=IREE

// IREE: "util.global"() {initial_value = #flow.parameter.named<"model"::"sha256:4a6652e089777d71{{[0-9a-f]+}}"> : tensor<4xf32>, sym_name = "constant_4a6652e089777d71"

// A private function is given its constants by those that call it.
// CHECK: func.func private @inner(%arg0: tensor<4xf32>, %arg1: tensor<4xf32> {dxir.constant = "sha256:4a6652e089777d71{{[0-9a-f]+}}"})
// CHECK-NOT: stablehlo.constant
// CHECK: stablehlo.add %arg0, %arg1
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = stablehlo.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xi32> {dxir.constant = "sha256:{{[0-9a-f]+}}", dxir.constant_depth = 1 : i64}, %arg2: tensor<4xf32> {dxir.constant = "sha256:4a6652e089777d71{{[0-9a-f]+}}"})
// CHECK: call @inner(%arg0, %arg2)
// CALL: func.func public @main(%arg0: tensor<4xf32>) ->
// CALL: call @inner(%arg0)
func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<3xf32>) {
  %0 = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %1 = "stablehlo.if"(%p) ({
    // CALL: "stablehlo.if"
    // CALL: stablehlo.custom_call @dxir.constant() {api_version = 4 : i32, backend_config = {digest = "sha256:{{[0-9a-f]+}}"}} : () -> tensor<4xi32>
    %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %t = stablehlo.add %c, %c : tensor<4xi32>
    stablehlo.return %t : tensor<4xi32>
  }, {
    %s = stablehlo.constant dense<1> : tensor<4xi32>
    stablehlo.return %s : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xi32>
  // A splat stays, and so does what is smaller than asked.
  // CHECK: stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
  // CHECK: stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %s = stablehlo.constant dense<2.0> : tensor<4xf32>
  %small = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %2 = stablehlo.add %0, %s : tensor<4xf32>
  return %0, %1, %2, %small : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<3xf32>
}
