// Reactant.jl#798: no pass leaves a sharding behind without its mesh, and none loses the sharding of
// an op it moves, merges or rewrites; dxir-strip-sharding removes both.
//
// RUN: dxir-opt %s --dxir-decompose --dxir-dce | FileCheck %s --check-prefixes=MESH,FLAT
// RUN: dxir-opt %s --dxir-share-constants --dxir-dce --symbol-dce --cse --canonicalize | FileCheck %s --check-prefixes=MESH,SHARED
// RUN: dxir-opt %s --dxir-canonical-names | FileCheck %s --check-prefix=NAMES
// RUN: dxir-opt %s --dxir-simplify --dxir-fold --dxir-mixed-precision | FileCheck %s --check-prefixes=MESH,NARROW
// RUN: dxir-opt %s --dxir-strip-sharding | FileCheck %s --check-prefix=STRIPPED --implicit-check-not=sdy

// MESH: sdy.mesh @devices = <["x"=2]>
// FLAT: stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@devices, [{"x"}]>]>}
// FLAT: sdy.sharding_constraint %{{.*}} <@devices, [{"x"}]>
// FLAT-NOT: func.func private

// SHARED: {decomposition = @g}
// SHARED: {decomposition = @g}
// SHARED: func.func private @g
// SHARED: sdy.sharding_constraint %{{.*}} <@devices, [{"x"}]>
// SHARED-NOT: func.func private

// NAMES: sdy.mesh @mesh_0 = <["x"=2]>
// NAMES: sdy.mesh @mesh_1 = <["y"=4]>
// NAMES: #sdy.sharding<@mesh_0, [{"x"}]>
// NAMES: #sdy.sharding_per_value<[<@mesh_0, [{"x"}]>]>
// NAMES: sdy.sharding_constraint %{{.*}} <@mesh_0, [{"x"}]>

// NARROW: stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@devices, [{"x"}]>]>} dense<2.000000e+00> : tensor<4xbf16>
// NARROW: sdy.sharding_constraint %{{.*}} <@devices, [{"x"}]> : tensor<4xbf16>

// STRIPPED-LABEL: func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32>
// STRIPPED: stablehlo.add
sdy.mesh @unused = <["y"=4]>
sdy.mesh @devices = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@devices, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@devices, [{}]>}) {
  %0 = stablehlo.composite "my.g" %a {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.g" %0 {decomposition = @h} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.add %0, %1 {sdy.sharding = #sdy.sharding_per_value<[<@devices, [{"x"}]>]>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@devices, [{"x"}]>]>} dense<2.0> : tensor<4xf32>
  %0 = sdy.sharding_constraint %a <@devices, [{"x"}]> : tensor<4xf32>
  %1 = stablehlo.add %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @h(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@devices, [{"x"}]>]>} dense<2.0> : tensor<4xf32>
  %0 = sdy.sharding_constraint %a <@devices, [{"x"}]> : tensor<4xf32>
  %1 = stablehlo.add %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}
