// RUN: dxir-opt %s --split-input-file --dxir-simplify | FileCheck %s

// Transposes that undo each other go, with elementwise ops and broadcasts between them too.
// CHECK-LABEL: func.func @cancelling(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<3xf32>)
// CHECK-NEXT: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[X]] : tensor<2x3xf32>
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.subtract %[[TANH]], %[[ROWS]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<2x3xf32>
func.func @cancelling(%x: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.tanh %0 : tensor<3x2xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<3x2xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// -----

// A near miss: what is used elsewhere in its own order stays.
// CHECK-LABEL: func.func @used_elsewhere(
// CHECK: stablehlo.transpose
// CHECK: stablehlo.tanh
// CHECK: stablehlo.transpose
func.func @used_elsewhere(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.tanh %0 : tensor<3x2xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2, %1 : tensor<2x3xf32>, tensor<3x2xf32>
}

// -----

// Products take transposed operands, and give transposed results by swapping them.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[X:.*]]: tensor<5x2x3xf32>, %[[Y:.*]]: tensor<4x5x3xf32>)
// CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %[[Y]], %[[X]], batching_dims = [1] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, DEFAULT]
// CHECK-NEXT: return %[[DOT]] : tensor<5x4x2xf32>
func.func @product(%x: tensor<5x2x3xf32>, %y: tensor<4x5x3xf32>) -> tensor<5x4x2xf32> {
  %0 = stablehlo.transpose %y, dims = [1, 2, 0] : (tensor<4x5x3xf32>) -> tensor<5x3x4xf32>
  %1 = stablehlo.dot_general %x, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<5x2x4xf32>) -> tensor<5x4x2xf32>
  return %2 : tensor<5x4x2xf32>
}

// -----

// A near miss: the free dimensions would come out in another order.
// CHECK-LABEL: func.func @free_dimensions(
// CHECK: stablehlo.transpose
// CHECK: stablehlo.dot_general
func.func @free_dimensions(%x: tensor<2x4x3xf32>, %y: tensor<3x5xf32>) -> tensor<4x2x5xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [2] x [0] : (tensor<4x2x3xf32>, tensor<3x5xf32>) -> tensor<4x2x5xf32>
  return %1 : tensor<4x2x5xf32>
}

// -----

// CHECK-LABEL: func.func @convolution(
// CHECK-NEXT: %[[C:.*]] = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = {{\[}}[1, 1], [0, 0]]}
// CHECK-NEXT: return %[[C]] : tensor<1x4x5x4xf32>
func.func @convolution(%x: tensor<1x2x5x6xf32>, %k: tensor<4x2x3x3xf32>) -> tensor<1x4x5x4xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 2, 3, 1] : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
  %1 = stablehlo.transpose %k, dims = [2, 3, 1, 0] : (tensor<4x2x3x3xf32>) -> tensor<3x3x2x4xf32>
  %2 = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x5x4x4xf32>
  %3 = stablehlo.transpose %2, dims = [0, 3, 1, 2] : (tensor<1x5x4x4xf32>) -> tensor<1x4x5x4xf32>
  return %3 : tensor<1x4x5x4xf32>
}

// -----

// Chains become one op, and what only adds dimensions of size 1 a reshape.
// CHECK-LABEL: func.func @chains(
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %[[R:.*]] = stablehlo.reshape %arg1 : (tensor<3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: return %[[B]], %[[R]]
func.func @chains(%x: tensor<4xf32>, %y: tensor<3x4xf32>) -> (tensor<2x3x4xf32>, tensor<1x3x1x4xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %3 = stablehlo.reshape %y : (tensor<3x4xf32>) -> tensor<12xf32>
  %4 = stablehlo.reshape %3 : (tensor<12xf32>) -> tensor<3x4x1xf32>
  %5 = stablehlo.transpose %4, dims = [0, 2, 1] : (tensor<3x4x1xf32>) -> tensor<3x1x4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2, 3] : (tensor<3x1x4xf32>) -> tensor<1x3x1x4xf32>
  return %2, %6 : tensor<2x3x4xf32>, tensor<1x3x1x4xf32>
}

// -----

// CHECK-LABEL: func.func @slices(
// CHECK-NEXT: %[[A:.*]] = stablehlo.slice %arg0 [3:8:4] : (tensor<10xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[G:.*]] = stablehlo.slice %arg0 [2:3] : (tensor<10xf32>) -> tensor<1xf32>
// CHECK-NEXT: return %arg0, %[[A]], %[[G]]
func.func @slices(%x: tensor<10xf32>) -> (tensor<10xf32>, tensor<2xf32>, tensor<1xf32>) {
  %0 = stablehlo.slice %x [0:4] : (tensor<10xf32>) -> tensor<4xf32>
  %1 = stablehlo.slice %x [4:10] : (tensor<10xf32>) -> tensor<6xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<4xf32>, tensor<6xf32>) -> tensor<10xf32>
  %3 = stablehlo.slice %x [1:9:2] : (tensor<10xf32>) -> tensor<4xf32>
  %4 = stablehlo.slice %3 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %i = stablehlo.constant dense<2> : tensor<i32>
  %5 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<10xf32>, tensor<i32>) -> tensor<1xf32>
  return %2, %4, %5 : tensor<10xf32>, tensor<2xf32>, tensor<1xf32>
}

// -----

// Refused: a sharding between two transposes would be lost; that of the last goes along.
// CHECK-LABEL: func.func @sharded(
// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 0] {sdy.sharding
// CHECK: stablehlo.transpose {{.*}}, dims = [1, 2, 0] : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
// CHECK: stablehlo.transpose %arg0, dims = [2, 0, 1] {sdy.sharding
sdy.mesh @mesh = <["x"=2]>
func.func @sharded(%x: tensor<4x4x4xf32>) -> (tensor<4x4x4xf32>, tensor<4x4x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %2 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 2, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  return %1, %3 : tensor<4x4x4xf32>, tensor<4x4x4xf32>
}

// -----

// Refused: dynamic sizes, and scales along an axis that would have to move.
// CHECK-LABEL: func.func @not_plain(
// CHECK-COUNT-4: stablehlo.transpose
func.func @not_plain(%x: tensor<?x3xf32>, %q: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> (tensor<?x3xf32>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x?xf32>) -> tensor<?x3xf32>
  %2 = stablehlo.transpose %q, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>
  return %1, %3 : tensor<?x3xf32>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>
}
