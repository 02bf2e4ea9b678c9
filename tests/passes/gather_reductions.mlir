// RUN: dxir-opt %s --split-input-file --verify-diagnostics -p 'dxir-gather-reductions{replicas=3}' | FileCheck %s

// Three parts: the first two are folded, then what they give with the third.
// CHECK-LABEL: func.func @largest_size
// CHECK: %[[ONE:.*]] = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%[[ONE]]) <{all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}2, 0, 1]]> : tensor<1x3xi64>}> : (tensor<1x4xf32>) -> tensor<3x4xf32>
// CHECK: stablehlo.slice %[[ALL]] [0:2:2, 0:4]
// CHECK: stablehlo.slice %[[ALL]] [1:2:2, 0:4]
// CHECK: "stablehlo.map"
// CHECK: stablehlo.abs
// CHECK: stablehlo.concatenate
// CHECK: "stablehlo.map"
// CHECK-NOT: stablehlo.all_reduce
func.func @largest_size(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.abs %a : tensor<f32>
    %2 = stablehlo.abs %b : tensor<f32>
    %3 = stablehlo.maximum %1, %2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @scattered
// CHECK: stablehlo.reshape %arg0 : (tensor<2x6xi32>) -> tensor<2x3x2xi32>
// CHECK: "stablehlo.all_to_all"{{.*}}concat_dimension = 1 : i64{{.*}}split_count = 3 : i64, split_dimension = 1 : i64
// CHECK: "stablehlo.map"
// CHECK: return %{{.*}} : tensor<2x2xi32>
func.func @scattered(%x: tensor<2x6xi32>) -> tensor<2x2xi32> {
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>,
      scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.xor %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x6xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// -----

// Near misses: bodies that runtimes have.
// CHECK-LABEL: func.func @usual
// CHECK-COUNT-2: stablehlo.all_reduce
// CHECK-NOT: stablehlo.all_gather
func.func @usual(%x: tensor<4xf32>, %y: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xi1>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %3 = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4xi1>) -> tensor<4xi1>
  return %0, %2 : tensor<4xf32>, tensor<4xi1>
}

// -----

func.func @others(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{the groups of stablehlo.all_reduce do not fit 3 replicas of 1 partitions: replica_groups leave out replica 2 of 3}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.xor %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
