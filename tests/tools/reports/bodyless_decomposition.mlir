// xla#47398: a composite whose decomposition has no body, functions that call themselves, and what a
// custom call names but nobody defines: each is passed through, or refused at the op.
//
// RUN: dxir-opt %s -split-input-file --dxir-decompose -verify-diagnostics
// RUN: dxir-opt %s -split-input-file --dxir-simplify --dxir-fold --dxir-dce --dxir-share-constants --dxir-canonical-names --inline | FileCheck %s

// CHECK: stablehlo.composite "my.g" %{{.*}} {decomposition = @g}
func.func @main(%a: tensor<3x4xi8>) -> tensor<3x4xi8> {
  // expected-error @+1 {{the composite my.g cannot be expanded: its decomposition @g has no body}}
  %0 = stablehlo.composite "my.g" %a {decomposition = @g} : (tensor<3x4xi8>) -> tensor<3x4xi8>
  return %0 : tensor<3x4xi8>
}
func.func private @g(tensor<3x4xi8>) -> tensor<3x4xi8>

// -----

// CHECK: stablehlo.custom_call @c(%{{.*}}) {called_computations = [@missing]}
func.func @main(%a: tensor<?xf64>) -> tensor<?xf64> {
  %0 = stablehlo.custom_call @c(%a) {called_computations = [@missing]} : (tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// CHECK: module {
// CHECK-NEXT: }
func.func private @g() -> tensor<f32>

// -----

// CHECK: call @main
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @main(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
