// Reactant.jl#798, xla#45717, xla#39824: a sharding that contradicts its tensor or names what is not
// there is refused wherever it stands (on a parameter, a result, an op, in a region), with a remedy.
//
// RUN: dxir-opt %s -split-input-file -verify-diagnostics
// RUN: not dxir-opt %s -split-input-file 2>&1 | FileCheck %s

// CHECK: error: {{.*}}unknown mesh: @nope
// CHECK: note: add the sdy.mesh to the module
sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{unknown mesh: @nope}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@nope, [{"x"}]>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

func.func @main(%p: tensor<i1>, %x: tensor<2x2x4xbf16>) -> tensor<2x2x4xbf16> {
  %0 = "stablehlo.if"(%p) ({
    // expected-error @+1 {{unknown mesh: @mesh}}
    %1 = sdy.reshard %x <@mesh, [{}, {}, {}]> : tensor<2x2x4xbf16>
    stablehlo.return %1 : tensor<2x2x4xbf16>
  }, { stablehlo.return %x : tensor<2x2x4xbf16> }) : (tensor<i1>) -> tensor<2x2x4xbf16>
  return %0 : tensor<2x2x4xbf16>
}

// -----

// CHECK: error: {{.*}}sharding doesn't match tensor rank: 3 != 0
// CHECK: note: {{.*}}for each dimension
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{sharding doesn't match tensor rank: 3 != 0}}
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}, {"z"}]>]>} : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: error: {{.*}}duplicate axis ref: "x"
// CHECK: note: {{.*}}one dimension
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xi32>) -> tensor<4x4xi32> {
  return %a : tensor<4x4xi32>
}
// expected-error @+1 {{duplicate axis ref: "x"}}
func.func private @f(%a: tensor<4x4xi32>) -> (tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>}) {
  return %a : tensor<4x4xi32>
}

// -----

// CHECK: error: {{.*}}unknown axis name: "z"
// CHECK: note: {{.*}}an axis of the mesh
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unknown axis name: "z"}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"z"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
