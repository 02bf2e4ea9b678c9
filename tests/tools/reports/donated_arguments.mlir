// jax#25346, aws-neuron-sdk#1026: passes keep the arguments of public functions where they are, and
// what is said of them, also of those that nothing reads.
//
// RUN: dxir-opt %s --dxir-decompose --dxir-simplify --dxir-fold --dxir-dce --dxir-share-constants --dxir-canonical-names --dxir-strip-sharding --canonicalize --cse | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<4xf32> {jax.buffer_donor = true}, %arg1: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg2: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @main(%dead: tensor<4xf32> {jax.buffer_donor = true}, %a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @work(%dead, %a) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @work(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.multiply %y, %y : tensor<4xf32>
  return %x, %0 : tensor<4xf32>, tensor<4xf32>
}
