// RUN: dxir-opt %s --split-input-file --dxir-bound-indices | FileCheck %s
// RUN: dxir-opt %s --split-input-file --dxir-bound-indices="gather=false scatter=false" | FileCheck %s --check-prefix=OFF --implicit-check-not=stablehlo.pad

// CHECK-LABEL: func.func @gather
// CHECK-DAG: %[[LAST:.*]] = stablehlo.constant dense<3> : tensor<2x1xi32>
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<2x1xi32>
// CHECK: %[[I:.*]] = stablehlo.clamp %[[ZERO]], %arg1, %[[LAST]]
// CHECK: "stablehlo.gather"(%arg0, %[[I]])
// OFF-LABEL: func.func @gather
func.func @gather(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// A window goes to the place beyond the operand, which is cut off again; promises about the indices
// do not hold there.
// CHECK-LABEL: func.func @scatter
// CHECK: %[[P:.*]] = stablehlo.pad %arg0, %{{.*}}, low = [0, 0], high = [1, 0], interior = [0, 0] : {{.*}} -> tensor<5x3xf32>
// CHECK: %[[BEYOND:.*]] = stablehlo.constant dense<4> : tensor<2x1xi32>
// CHECK: %[[S:.*]] = stablehlo.select %{{.*}}, %arg1, %[[BEYOND]]
// CHECK: %[[I:.*]] = stablehlo.clamp %{{.*}}, %[[S]], %{{.*}}
// CHECK: %[[R:.*]] = "stablehlo.scatter"(%[[P]], %[[I]], %arg2) <{scatter_dimension_numbers
// CHECK-NOT: unique_indices = true
// CHECK: stablehlo.slice %[[R]] [0:4, 0:3]
func.func @scatter(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Near misses: constants and clamped indices that are inside; a clamp that is not tight enough.
// CHECK-LABEL: func.func @inside
// CHECK: stablehlo.clamp
// CHECK-NOT: stablehlo.clamp
func.func @inside(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %c = stablehlo.constant dense<[[0], [3]]> : tensor<2x1xi32>
  %low = stablehlo.constant dense<1> : tensor<i32>
  %high = stablehlo.constant dense<3> : tensor<i32>
  %j = stablehlo.clamp %low, %i, %high : (tensor<i32>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @loose
// CHECK-COUNT-2: stablehlo.clamp
func.func @loose(%x: tensor<4x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %low = stablehlo.constant dense<-1> : tensor<i32>
  %high = stablehlo.constant dense<3> : tensor<i32>
  %j = stablehlo.clamp %low, %i, %high : (tensor<i32>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @unknown_size
// CHECK-NOT: stablehlo.clamp
func.func @unknown_size(%x: tensor<?x3xf32>, %i: tensor<2x1xi32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<?x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
