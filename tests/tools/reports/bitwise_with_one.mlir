// stablehlo#2633: one is all ones in i1 only. `and` with 1 and `or` with 1 stay in every wider type;
// with all ones, written -1 or as the largest unsigned number, they go.
//
// RUN: dxir-opt %s --dxir-simplify --dxir-fold --dxir-simplify | FileCheck %s

// CHECK-LABEL: func.func @one_is_one(
// CHECK-DAG: stablehlo.and %arg0, %{{.*}} : tensor<2xi32>
// CHECK-DAG: stablehlo.or %arg0, %{{.*}} : tensor<2xi32>
// CHECK-DAG: stablehlo.and %arg1, %{{.*}} : tensor<2xui8>
// CHECK-DAG: stablehlo.or %arg1, %{{.*}} : tensor<2xui8>
// CHECK: return
func.func @one_is_one(%x: tensor<2xi32>, %y: tensor<2xui8>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>) {
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.and %x, %one : tensor<2xi32>
  %1 = stablehlo.or %one, %x : tensor<2xi32>
  %u = stablehlo.constant dense<1> : tensor<2xui8>
  %2 = stablehlo.and %u, %y : tensor<2xui8>
  %3 = stablehlo.or %y, %u : tensor<2xui8>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>
}

// CHECK-LABEL: func.func @all_ones(
// CHECK-DAG: %[[I:.*]] = stablehlo.constant dense<-1> : tensor<2xi32>
// CHECK-DAG: %[[U:.*]] = stablehlo.constant dense<255> : tensor<2xui8>
// CHECK: return %arg0, %[[I]], %arg1, %[[U]]
func.func @all_ones(%x: tensor<2xi32>, %y: tensor<2xui8>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>) {
  %ones = stablehlo.constant dense<-1> : tensor<2xi32>
  %0 = stablehlo.and %x, %ones : tensor<2xi32>
  %1 = stablehlo.or %ones, %x : tensor<2xi32>
  %u = stablehlo.constant dense<255> : tensor<2xui8>
  %2 = stablehlo.and %u, %y : tensor<2xui8>
  %3 = stablehlo.or %y, %u : tensor<2xui8>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xui8>, tensor<2xui8>
}

// CHECK-LABEL: func.func @booleans(
// CHECK: %[[T:.*]] = stablehlo.constant dense<true>
// CHECK: return %arg0, %[[T]]
func.func @booleans(%x: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
  %one = stablehlo.constant dense<true> : tensor<2xi1>
  %0 = stablehlo.and %x, %one : tensor<2xi1>
  %1 = stablehlo.or %x, %one : tensor<2xi1>
  return %0, %1 : tensor<2xi1>, tensor<2xi1>
}
