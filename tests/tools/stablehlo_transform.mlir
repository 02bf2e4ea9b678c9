// StableHLO's own passes, by flag and by pipeline, each on its own chunk.
//
// RUN: stablehlo-opt %S/inputs/broadcasts.mlir --chlo-legalize-to-stablehlo | FileCheck %s --check-prefix=CHLO
// RUN: stablehlo-opt %S/inputs/broadcasts.mlir --pass-pipeline='builtin.module(func.func(chlo-legalize-to-stablehlo))' | FileCheck %s --check-prefix=CHLO
// RUN: stablehlo-opt %S/inputs/broadcasts.mlir --pass-pipeline='chlo-legalize-to-stablehlo' | FileCheck %s --check-prefix=CHLO
// RUN: stablehlo-opt %S/inputs/dynamic.mlir --stablehlo-refine-arguments='types=tensor<3x4xf32>' --stablehlo-refine-shapes --stablehlo-canonicalize-dynamism | FileCheck %s --check-prefix=STATIC
// RUN: stablehlo-opt %S/inputs/composite.mlir -stablehlo-legalize-composite-to-call -inline -symbol-dce | FileCheck %s --check-prefix=INLINED
// RUN: stablehlo-opt %S/inputs/composite.mlir -stablehlo-legalize-composite-to-call='except=acme.scale' | FileCheck %s --check-prefix=KEPT
// RUN: stablehlo-opt %S/inputs/composite.mlir --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' | FileCheck %s --check-prefix=VHLO
// RUN: stablehlo-opt %S/inputs/composite.mlir --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.0.0' | stablehlo-opt --stablehlo-deserialize | FileCheck %s --check-prefix=BACK
// RUN: not stablehlo-opt %S/inputs/tan.mlir --stablehlo-legalize-to-vhlo --vhlo-to-version='target=0.9.0' 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: stablehlo-opt %S/inputs/tan.mlir --stablehlo-compatibility-expander='target=1.0.0' | FileCheck %s --check-prefix=EXPANDED
// RUN: stablehlo-opt %S/inputs/unsigned.mlir --stablehlo-convert-to-signless | FileCheck %s --check-prefix=SIGNLESS

// CHLO-LABEL: func.func @broadcasts
// CHLO-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
// CHLO-NEXT: %[[S:.*]] = stablehlo.add %[[B]], %arg1 : tensor<3x4xf32>
// CHLO-NEXT: %[[Q:.*]] = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
// CHLO-NEXT: return %[[S]], %[[Q]]

// STATIC-LABEL: func.func @main(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32>
// STATIC-NOT: get_dimension_size
// STATIC: %[[B:.*]] = stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
// STATIC-NEXT: stablehlo.add %arg0, %[[B]] : tensor<3x4xf32>

// INLINED-LABEL: func.func @main
// INLINED-NEXT: %[[R:.*]] = stablehlo.add %arg0, %arg0
// INLINED-NEXT: return %[[R]]
// INLINED-NOT: @scale

// KEPT: stablehlo.composite "acme.scale"

// VHLO: vhlo.func_v1 @main
// VHLO: "vhlo.composite_v1"
// VHLO: "vhlo.add_v1"

// BACK-LABEL: func.func @main
// BACK: stablehlo.composite "acme.scale" %arg0 {composite_attributes = {by = 2 : i64}, decomposition = @scale, version = 3 : i32}

// OLD: tan.mlir:2:8: error: failed to legalize operation 'vhlo.tan_v{{[0-9]}}' that was explicitly marked illegal
// OLD: error: failed to convert VHLO to v0.9.0

// EXPANDED-NOT: stablehlo.tan
// EXPANDED-DAG: %[[S:.*]] = stablehlo.sine %arg0
// EXPANDED-DAG: %[[C:.*]] = stablehlo.cosine %arg0
// EXPANDED: stablehlo.divide %[[S]], %[[C]]

// SIGNLESS: func.func @unsigned(%arg0: tensor<4xi8>) -> tensor<4xi8>
