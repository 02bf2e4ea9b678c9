// Ops in custom and generic form read, and print as they were meant, also when read again.
//
// RUN: stablehlo-opt %s -split-input-file | FileCheck %s
// RUN: stablehlo-opt %s -split-input-file | stablehlo-opt -split-input-file | FileCheck %s
// RUN: stablehlo-opt %s -split-input-file -mlir-print-op-generic \
// RUN:   | stablehlo-opt -split-input-file | FileCheck %s
// RUN: stablehlo-opt %s -split-input-file -verify-roundtrip -o /dev/null | count 0

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<2x3xf32>, %n: tensor<4xi32>) -> (tensor<2x3xf32>, tensor<4xi32>) {
  // CHECK: %[[T:.*]] = stablehlo.tanh %arg0 : tensor<2x3xf32>
  %0 = stablehlo.tanh %a : tensor<2x3xf32>
  // CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[T]], %arg0 : tensor<2x3xf32>
  %1 = "stablehlo.add"(%0, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: stablehlo.popcnt %arg1 : tensor<4xi32>
  %2 = stablehlo.popcnt %n : tensor<4xi32>
  // CHECK-NEXT: stablehlo.exponential %[[S]]
  // CHECK-SAME: mode = #stablehlo.result_accuracy_mode<HIGHEST>
  %3 = stablehlo.exponential %1 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2x3xf32>
  return %3, %2 : tensor<2x3xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @compare_and_select
func.func @compare_and_select(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[P:.*]] = stablehlo.compare LT, %arg0, %arg1, TOTALORDER
  %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: stablehlo.select %[[P]], %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
  %1 = stablehlo.select %0, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @dot_of_bf16
func.func @dot_of_bf16(%a: tensor<5x2x3xbf16>, %b: tensor<5x3x4xbf16>) -> tensor<5x2x4xf32> {
  // CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST]
  // CHECK-SAME: -> tensor<5x2x4xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<5x2x3xbf16>, tensor<5x3x4xbf16>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @reductions
func.func @reductions(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK-NEXT: stablehlo.reduce(%arg0 init: %[[ZERO]]) applies stablehlo.add across dimensions = [1]
  %0 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.reduce(%arg0 init: %[[ZERO]]) across dimensions = [1]
  // CHECK-NEXT: reducer(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
  // CHECK-NEXT: %[[M:.*]] = stablehlo.multiply %[[X]], %[[Y]]
  %1 = stablehlo.reduce(%a init: %zero) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %m = stablehlo.multiply %x, %y : tensor<f32>
    %s = stablehlo.add %m, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @loop
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: %[[R:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[S:.*]] = %arg0) : tensor<i32>, tensor<i32>
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.compare LT, %[[I]], %arg0 :
  // CHECK: } do {
  // CHECK: stablehlo.multiply %[[S]]
  %0:2 = stablehlo.while(%i = %zero, %s = %n) : tensor<i32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %t = stablehlo.multiply %s, %j : tensor<i32>
      stablehlo.return %j, %t : tensor<i32>, tensor<i32>
    }
  // CHECK: return %[[R]]#1
  return %0#1 : tensor<i32>
}

// -----

// CHECK-LABEL: func.func @strided_convolution
func.func @strided_convolution(%a: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x5xf32>) -> tensor<1x4x4x5xf32> {
  // CHECK: dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
  // CHECK-SAME: window = {stride = [2, 2], pad = {{\[}}[1, 0], [0, 1]]}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 0], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>) -> tensor<1x4x4x5xf32>
  return %0 : tensor<1x4x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @rows_by_index
func.func @rows_by_index(%a: tensor<10x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  // CHECK: #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @shapes
func.func @shapes(%a: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: stablehlo.reshape
  %1 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<6xf32>
  // CHECK-NEXT: stablehlo.pad %{{.*}}, %{{.*}}, low = [1], high = [1], interior = [0]
  %2 = stablehlo.pad %1, %z, low = [1], high = [1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: stablehlo.slice %{{.*}} [1:7:2] : (tensor<8xf32>) -> tensor<3xf32>
  %3 = stablehlo.slice %2 [1:7:2] : (tensor<8xf32>) -> tensor<3xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %{{.*}}, dims = [1]
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: stablehlo.concatenate %{{.*}}, %arg0, dim = 0
  %5 = stablehlo.concatenate %4, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: stablehlo.reverse %{{.*}}, dims = [0]
  %6 = stablehlo.reverse %5, dims = [0] : tensor<4x3xf32>
  return %6 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @unknown_sizes
func.func @unknown_sizes(%a: tensor<?x4xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // CHECK: stablehlo.get_dimension_size %arg0, dim = 0
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  // CHECK-NEXT: stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @sum_over_groups
func.func @sum_over_groups(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "stablehlo.all_reduce"(%arg0)
  // CHECK-SAME: replica_groups = dense<{{\[}}[0, 1], [2, 3]]> : tensor<2x2xi64>
  // CHECK-SAME: use_global_device_ids
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @composite_and_call
func.func @composite_and_call(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.composite "acme.scale" %arg0 {composite_attributes = {by = 2 : i64}, decomposition = @scale, version = 3 : i32}
  %0 = stablehlo.composite "acme.scale" %a {composite_attributes = {by = 2 : i64}, decomposition = @scale, version = 3 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.custom_call @acme.probe(%{{.*}}) {api_version = 4 : i32, backend_config = {depth = 1 : i32}, has_side_effect = true}
  %1 = stablehlo.custom_call @acme.probe(%0) {has_side_effect = true, api_version = 4 : i32, backend_config = {depth = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK: func.func private @scale
func.func private @scale(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @quantized
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xf32> {
  // CHECK: stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2xf32>
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @client_ops
func.func @client_ops(%a: tensor<4xf32>, %b: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
  // CHECK: chlo.broadcast_add %arg0, %arg1 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = chlo.broadcast_add %a, %b : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<4xf32>
}
