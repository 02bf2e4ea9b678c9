// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-canonical-names | FileCheck %s
// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-canonical-names='prefix=acme_ module-name=keep' | FileCheck %s --check-prefix=PREFIX

// CHECK: module {
// CHECK-NEXT: sdy.mesh @mesh_0 = <["y"=1]>
// CHECK-NEXT: sdy.mesh @mesh_1 = <["x"=1]>
// CHECK-NEXT: func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh_0, [{"y"}]>})
// CHECK-NEXT: stablehlo.composite "acme.gate" %arg0 {decomposition = @decomposition_0}
// CHECK-NEXT: call @function_0
// CHECK-NEXT: stablehlo.custom_call @kernel({{.*}}) {called_computations = [@computation_0]}
// CHECK: func.func private @decomposition_0
// CHECK-NEXT: stablehlo.negate
// CHECK: func.func private @function_0
// CHECK-NEXT: stablehlo.logistic %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh_1, [{"x"}]>]>}
// CHECK: func.func private @computation_0
// CHECK: func.func @apart
// CHECK: func.func private @unused_0
// PREFIX: module @step {
// PREFIX: sdy.mesh @acme_mesh_0 = <["y"=1]>
// PREFIX: func.func @main
// PREFIX: func.func private @acme_decomposition_0
module @step {
  sdy.mesh @mesh_1 = <["y"=1]>
  sdy.mesh @mesh_0 = <["x"=1]>
  func.func private @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  func.func @apart(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  // This one has the name that another gets.
  func.func private @decomposition_0(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.logistic %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh_0, [{"x"}]>]>} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh_1, [{"y"}]>}) -> tensor<4xf32> {
    %0 = stablehlo.composite "acme.gate" %x {decomposition = @function_0} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = func.call @decomposition_0(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @kernel(%1) {called_computations = [@k]} : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @function_0(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @k(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// Names that others rely on stay.
// CHECK-LABEL: func.func @near_miss
// CHECK-NEXT: call @external
// CHECK: func.func private @external(tensor<4xf32>) -> tensor<4xf32>
func.func private @external(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @near_miss(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @external(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
