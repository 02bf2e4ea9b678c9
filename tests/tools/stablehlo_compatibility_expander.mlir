// What an old version does not know is written in terms of what it knows.
//
// RUN: stablehlo-opt %s --stablehlo-compatibility-expander='target=1.0.0' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-compatibility-expander='target=1.9.0' | FileCheck %s --check-prefix=LATER
// RUN: stablehlo-opt %s --stablehlo-compatibility-expander='target=1.0.0' --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' | FileCheck %s --check-prefix=WRITTEN
// RUN: not stablehlo-opt %s --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK-LABEL: func.func @tan(
// CHECK-DAG: %[[S:.*]] = stablehlo.sine %arg0 : tensor<4xf64>
// CHECK-DAG: %[[C:.*]] = stablehlo.cosine %arg0 : tensor<4xf64>
// CHECK: stablehlo.divide %[[S]], %[[C]] : tensor<4xf64>
// CHECK: stablehlo.tanh %{{.*}} : tensor<4xf32>
// CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<4xcomplex<f32>>
// LATER-LABEL: func.func @tan(
// LATER-NEXT: stablehlo.tan %arg0
// LATER-NEXT: stablehlo.tan %arg1
// WRITTEN: "vhlo.sine_v1"
// REFUSED: error: failed to convert VHLO to v1.0.0
func.func @tan(%x: tensor<4xf64>, %y: tensor<4xcomplex<f32>>) -> (tensor<4xf64>, tensor<4xcomplex<f32>>) {
  %0 = stablehlo.tan %x : tensor<4xf64>
  %1 = stablehlo.tan %y : tensor<4xcomplex<f32>>
  return %0, %1 : tensor<4xf64>, tensor<4xcomplex<f32>>
}

// A batch dimension becomes an index like the others.
// CHECK-LABEL: func.func @gather(
// CHECK: %[[N:.*]] = stablehlo.iota dim = 0 : tensor<3x5x1xi64>
// CHECK: %[[I:.*]] = stablehlo.concatenate %[[N]], %{{.*}}, dim = 2
// CHECK: "stablehlo.gather"(%arg0, %[[I]])
// CHECK-SAME: collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2
// LATER-LABEL: func.func @gather(
// LATER-NEXT: "stablehlo.gather"(%arg0, %arg1)
// LATER-SAME: operand_batching_dims = [0], start_indices_batching_dims = [0]
func.func @gather(%x: tensor<3x4xi32>, %i: tensor<3x5xi64>) -> tensor<3x5xi32> {
  %0 = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>} : (tensor<3x4xi32>, tensor<3x5xi64>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}
