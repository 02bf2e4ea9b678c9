// The passes that make shardings ready for the partitioner, one by one and as a pipeline.
//
// RUN: sdy-opt %s -split-input-file -sdy-sharding-constraint-to-reshard | FileCheck %s --check-prefixes=CONSTRAINT
// RUN: sdy-opt %s -split-input-file -sdy-close-shardings | FileCheck %s --check-prefixes=CLOSED
// RUN: sdy-opt %s -split-input-file -sdy-insert-explicit-reshards='enable-full-version=true' | FileCheck %s --check-prefixes=RESHARDS
// RUN: sdy-opt %s -split-input-file -sdy-propagation-pipeline -sdy-export-pipeline | FileCheck %s --check-prefixes=EXPORT

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// CONSTRAINT-LABEL: func.func @constraint
// EXPORT-LABEL: func.func @constraint
func.func @constraint(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CONSTRAINT-NEXT: %[[R:.*]] = sdy.reshard %arg0 <@grid, [{"rows"}]> : tensor<8xf32>
  // CONSTRAINT-NEXT: return %[[R]]
  // EXPORT-NOT: sdy.sharding_constraint
  %0 = sdy.sharding_constraint %x <@grid, [{"rows"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// An open dimension takes no more axes once shardings are closed.
// CLOSED-LABEL: func.func @open
// CLOSED-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {}]>}
// EXPORT-LABEL: func.func @open
// EXPORT-SAME: [{"rows"}, {}]
func.func @open(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows", ?}, {?}]>}) -> tensor<8x8xf32> {
  return %x : tensor<8x8xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// Operands of an elementwise op get one sharding.
// RESHARDS-LABEL: func.func @operands_that_disagree
// EXPORT-LABEL: func.func @operands_that_disagree
func.func @operands_that_disagree(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {}]>},
    %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"rows"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}, {}]>}) {
  // RESHARDS: %[[Y:.*]] = sdy.reshard %arg1 <@grid, [{"rows"}, {}]> : tensor<8x8xf32>
  // RESHARDS: stablehlo.add %arg0, %[[Y]]
  %0 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@grid, [{"rows"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
