// To VHLO, to an old version and back: the program stays, but for what VHLO does not say.
//
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' | FileCheck %s --check-prefix=OLD
// RUN: stablehlo-opt %s | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' --stablehlo-deserialize | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' --emit-bytecode | stablehlo-opt --stablehlo-deserialize | FileCheck %s
// RUN: not stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' --vhlo-legalize-to-stablehlo 2>&1 | FileCheck %s --check-prefix=NOT-CURRENT

// OLD: vhlo.func_v1 @main(%arg0: !vhlo.tensor_v1<2x?x!vhlo.f32_v1>, %arg1: !vhlo.tensor_v1<!vhlo.bool_v1>)
// OLD: "vhlo.if_v1"(%arg1) ({
// OLD: "vhlo.tanh_v1"(%arg0)
// OLD: "vhlo.custom_call_v1"(%arg0)
// OLD-SAME: call_target_name = #vhlo.string_v1<"acme.other">
// OLD: "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<[1, 255]> : tensor<2xui8>>}>
// OLD: sym_visibility = #vhlo.string_v1<"public">

// CHECK-LABEL: func.func public @main(%arg0: tensor<2x?xf32> {acme.name = "x"}, %arg1: tensor<i1>) -> (tensor<2x?xf32>, tensor<2xui8>) {
// CHECK: %[[I:.*]] = "stablehlo.if"(%arg1) ({
// CHECK: stablehlo.tanh %arg0 : tensor<2x?xf32>
// CHECK: stablehlo.custom_call @acme.other(%arg0)
// CHECK-SAME: backend_config = "a"
// CHECK: %[[C:.*]] = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
// CHECK: return %[[I]], %[[C]]

// NOT-CURRENT: error: failed to legalize operation 'vhlo.tanh_v1' that was explicitly marked illegal
func.func public @main(%x: tensor<2x?xf32> {acme.name = "x"}, %p: tensor<i1>) -> (tensor<2x?xf32>, tensor<2xui8>) {
  %0 = "stablehlo.if"(%p) ({
    %2 = stablehlo.tanh %x : tensor<2x?xf32>
    stablehlo.return %2 : tensor<2x?xf32>
  }, {
    %2 = stablehlo.custom_call @acme.other(%x) {api_version = 2 : i32, backend_config = "a"} : (tensor<2x?xf32>) -> tensor<2x?xf32>
    stablehlo.return %2 : tensor<2x?xf32>
  }) : (tensor<i1>) -> tensor<2x?xf32>
  %1 = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
  return %0, %1 : tensor<2x?xf32>, tensor<2xui8>
}
