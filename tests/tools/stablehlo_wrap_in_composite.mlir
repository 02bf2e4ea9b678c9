// Ops named are wrapped in composites of their names, each with a function of its own.
//
// RUN: stablehlo-opt %s --stablehlo-wrap-in-composite='op-names=stablehlo.add,stablehlo.negate version=3' | FileCheck %s
// RUN: stablehlo-opt %s --stablehlo-wrap-in-composite='op-names=stablehlo.negate' | FileCheck %s --check-prefix=ONE
// RUN: stablehlo-opt %s --stablehlo-wrap-in-composite='op-names=stablehlo.negate' --stablehlo-legalize-composite-to-call --inline --symbol-dce | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[A:.*]] = stablehlo.composite "stablehlo.add" %arg0, %arg1 {decomposition = @[[ADD:.*]], version = 3 : i32}
// CHECK-NEXT: %[[N:.*]] = stablehlo.composite "stablehlo.negate" %[[A]] {decomposition = @[[NEGATE:.*]], version = 3 : i32}
// CHECK-NEXT: %[[R:.*]] = stablehlo.composite "stablehlo.add" %[[N]], %arg1 {composite_attributes = {acme.note = 1 : i32}
// CHECK-NEXT: return %[[R]]
// CHECK-DAG: func.func private @[[ADD]](%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32>
// CHECK-DAG: func.func private @[[NEGATE]](%arg0: tensor<2xf32>) -> tensor<2xf32>

// ONE-LABEL: func.func @main(
// ONE-NEXT: stablehlo.add
// ONE-NEXT: stablehlo.composite "stablehlo.negate"
// ONE-NEXT: stablehlo.add

// BACK-LABEL: func.func @main(
// BACK-NEXT: stablehlo.add
// BACK-NEXT: stablehlo.negate
// BACK-NEXT: stablehlo.add
// BACK-NOT: func.func private
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  %2 = stablehlo.add %1, %y {acme.note = 1 : i32} : tensor<2xf32>
  return %2 : tensor<2xf32>
}
