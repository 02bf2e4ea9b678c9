// RUN: dxir-opt %s --split-input-file --dxir-stabilize-sort | FileCheck %s

// CHECK-LABEL: func.func @stable
// CHECK: %[[PLACE:.*]] = stablehlo.iota dim = 1 : tensor<2x8xi32>
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %[[PLACE]]) <{dimension = -1 : i64}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>, %[[J:.*]]: tensor<i32>):
// CHECK-NEXT: %[[LESS:.*]] = stablehlo.compare LT, %[[A]], %[[B]], TOTALORDER
// CHECK-NEXT: %[[MORE:.*]] = stablehlo.compare LT, %[[B]], %[[A]], TOTALORDER
// CHECK: stablehlo.compare LT, %[[I]], %[[J]]
// CHECK: return %[[S]]#0
func.func @stable(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Near misses: one that does not ask to be stable, and one of unknown size.
// CHECK-LABEL: func.func @left
// CHECK-NOT: stablehlo.iota
func.func @left(%x: tensor<8xi32>, %y: tensor<?xi32>) -> (tensor<8xi32>, tensor<?xi32>) {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<8xi32>) -> tensor<8xi32>
  %1 = "stablehlo.sort"(%y) <{is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<?xi32>) -> tensor<?xi32>
  return %0, %1 : tensor<8xi32>, tensor<?xi32>
}
