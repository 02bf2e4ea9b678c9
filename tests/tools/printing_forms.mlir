// The ways a module can be printed.
//
// RUN: dxir-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: dxir-opt %s -mlir-print-debuginfo | FileCheck %s --check-prefix=LOCATIONS
// RUN: dxir-opt %s -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOCAL --implicit-check-not='#loc'
// RUN: dxir-opt %s -mlir-print-debuginfo -mlir-pretty-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=PRETTY
// RUN: dxir-opt %s -mlir-print-debuginfo | dxir-opt -mlir-print-debuginfo | FileCheck %s --check-prefix=LOCATIONS
// RUN: dxir-opt %s -mlir-elide-elementsattrs-if-larger=4 | FileCheck %s --check-prefix=ELIDED
// RUN: dxir-opt %s -mlir-elide-elementsattrs-if-larger=5 | FileCheck %s --check-prefix=WHOLE
// RUN: dxir-opt %s -mlir-elide-resource-strings-if-larger=8 | FileCheck %s --check-prefix=NO-RESOURCE --implicit-check-not='dialect_resources'
// RUN: dxir-opt %s | FileCheck %s --check-prefix=RESOURCE
// RUN: dxir-opt %s -mlir-use-nameloc-as-prefix | FileCheck %s --check-prefix=NAMES
// RUN: dxir-opt %s -mlir-print-skip-regions | FileCheck %s --check-prefix=SKIPPED --implicit-check-not='func.func'
// RUN: dxir-opt %s -mlir-print-assume-verified | FileCheck %s --check-prefix=WHOLE

// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: "func.func"() <{function_type = (tensor<5xf32>) -> tensor<5xf32>, sym_name = "main"}> ({
// GENERIC-NEXT: ^bb0(%arg0: tensor<5xf32>):
// GENERIC: "stablehlo.add"(%arg0, %{{.*}}) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
// GENERIC: "func.return"(%{{.*}}) : (tensor<5xf32>) -> ()
// GENERIC: }) : () -> ()

// LOCATIONS: stablehlo.add %arg0, %{{.*}} : tensor<5xf32> loc(#[[L:.*]])
// LOCATIONS: #[[L]] = loc("sum"

// LOCAL: stablehlo.add %arg0, %{{.*}} : tensor<5xf32> loc("sum"("model.py":7:3))

// PRETTY: stablehlo.add %arg0, %{{.*}} : tensor<5xf32> "sum"(model.py:7:3)

// ELIDED: stablehlo.constant dense_resource<__elided__> : tensor<5xf32>
// WHOLE: stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00]>

// RESOURCE: dense_resource<weights> : tensor<4xf32>
// RESOURCE: dialect_resources
// RESOURCE: weights: "0x04000000
// NO-RESOURCE: dense_resource<weights> : tensor<4xf32>

// NAMES: %sum = stablehlo.add

// SKIPPED: module {...}

func.func @main(%a: tensor<5xf32>) -> tensor<5xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %w = stablehlo.constant dense_resource<weights> : tensor<4xf32>
  %0 = stablehlo.add %a, %c : tensor<5xf32> loc("sum"("model.py":7:3))
  return %0 : tensor<5xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
