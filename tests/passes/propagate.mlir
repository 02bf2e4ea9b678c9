// RUN: dxir-opt %s --split-input-file --verify-diagnostics --dxir-propagate | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// CHECK-SAME: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}
// CHECK-NEXT: stablehlo.dot_general {{.*}}[{"x"}, {"y"}]
// CHECK-NEXT: stablehlo.exponential {{.*}}[{"x"}, {"y"}]
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.exponential %0 : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

// Two public functions, and no @main; both are propagated, in the order they are in.
// CHECK-LABEL: func.func @first
// CHECK-NEXT: stablehlo.negate {{.*}}[{"x"}]
// CHECK-LABEL: func.func @second
// CHECK-NEXT: stablehlo.negate {{.*}}[{"x"}]
sdy.mesh @mesh = <["x"=2]>
func.func @first(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @second(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
sdy.mesh @mesh = <["x"=3, "y"=4]>
// expected-warning @+1 {{the sharding {"x"} of dimension 0 (5) of parameter 0 of @main was dropped: 5 is not divisible by the size of its axes, 3; pad it, or partition with pad=true}}
func.func @main(%y: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %z: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<5x4xf32>, tensor<6x4xf32>) {
  return %y, %z : tensor<5x4xf32>, tensor<6x4xf32>
}

// -----

// Nothing is said of any mesh, so nothing is changed, not even what nobody uses.
// CHECK-LABEL: func.func @near_miss
// CHECK-NEXT: stablehlo.constant
func.func @near_miss(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// expected-warning @+1 {{the module says shardings as mhlo.sharding, which XLA's partitioner reads and Shardy does not; it stays as it is}}
func.func @older(%x: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = call @outside(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @+1 {{@outside has no body, so how its results lie cannot be told}}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
