// What Shardy's verifier says about meshes and shardings that contradict the tensors.
//
// RUN: sdy-opt %s -split-input-file -verify-diagnostics

sdy.mesh @grid = <["rows"=2, "cols"=4]>

// expected-error@+1 {{unknown axis name: "depth"}}
func.func @unknown_axis(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@grid, [{"depth"}]>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

func.func @unknown_mesh(%x: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  // expected-error@+1 {{unknown mesh: @grid}}
  %0 = sdy.reshard %x <@grid, [{}, {}, {}]> : tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

func.func @axis_used_twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{duplicate axis ref: "rows"}}
  %0 = sdy.sharding_constraint %x <@grid, [{"rows"}, {"rows"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @grid = <["rows"=2, "cols"=4]>

func.func @sharding_of_another_rank(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{sharding doesn't match tensor rank: 2 != 0}}
  %0 = sdy.sharding_constraint %x <@grid, [{"rows"}, {}]> : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+1 {{duplicate axis name: "rows"}}
sdy.mesh @grid = <["rows"=2, "rows"=4]>
