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

// -----

// CHECK: error: {{.*}}overlapping sub-axes: "x":(1)2, "x":(1)4
sdy.mesh @mesh = <["x"=8]>
// expected-error @+1 {{overlapping sub-axes: "x":(1)2, "x":(1)4}}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(1)4}]>}) {
  return
}

// -----

// CHECK: error: {{.*}}doesn't divide the size of the full axis 8: "x":(1)3
sdy.mesh @mesh = <["x"=8]>
// expected-error @+1 {{doesn't divide the size of the full axis 8: "x":(1)3}}
func.func @main(%a: tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}]>}) {
  return
}

// -----

// CHECK: error: {{.*}}dim 1 is empty and closed but has a priority
sdy.mesh @mesh = <["x"=8]>
// expected-error @+1 {{dim 1 is empty and closed but has a priority}}
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}p1]>}) {
  return
}

// -----

// CHECK: error: {{.*}}duplicate axis ref: "x"
sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{duplicate axis ref: "x"}}
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}], replicated={"x"}>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK: error: {{.*}}manual axes come before free axes
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{must have all manual axes come before free axes}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y", "x"}]>] out_shardings=[<@mesh, [{"y", "x"}]>] manual_axes={"x"} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// CHECK: error: {{.*}}operand dimension size 6 is not divisible by the manual axes size 4
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{operand dimension size 6 is not divisible by the manual axes size 4}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"y"} (%b: tensor<2xf32>) {
    sdy.return %b : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// CHECK: error: {{.*}}redefinition of symbol named 'mesh'
// expected-note @+1 {{see existing symbol}}
sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{redefinition of symbol named 'mesh'}}
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
