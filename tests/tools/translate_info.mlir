// What a module needs and holds.
//
// RUN: dxir-translate --info %s | FileCheck %s
// RUN: dxir-translate --info --json %s | FileCheck %s --check-prefix=JSON
// RUN: dxir-translate --serialize --strip-debuginfo %s | dxir-translate --info | FileCheck %s --check-prefix=ARTIFACT

// CHECK:      translate_info.mlir: text, {{[0-9.]+}} KiB
// CHECK-NEXT: needs {{ *}}StableHLO 1.{{[0-9]+}}.0, for the type f8E3M4 at {{.*}}translate_info.mlir:{{[0-9]+}}:10
// CHECK:      locations {{ *}}{{[0-9]+}} of {{[0-9]+}} ops, in {{.*}}translate_info.mlir
// CHECK-NEXT: constants {{ *}}2, 18 bytes; the largest is tensor<4xf32>, 16 bytes at {{.*}}translate_info.mlir:
// CHECK-NEXT: resource weights {{ *}}16 bytes
// CHECK-NEXT: dialects {{ *}}func {{[0-9]+}}, stablehlo {{[0-9]+}}
// CHECK-NEXT: functions
// CHECK-NEXT:   @main(tensor<4xf32>) -> (tensor<4xf32>), {{[0-9]+}} ops
// CHECK-NEXT:   private @helper() -> (tensor<2xf8E3M4>), 2 ops
// CHECK-NEXT: ops
// CHECK:      1 stablehlo.add

// JSON: "kind": "text"
// JSON: "feature": "f8E3M4"
// JSON: "stablehlo.add": 1

// ARTIFACT: <stdin>: portable artifact
// ARTIFACT-NEXT: producer {{ *}}StableHLO_v1.
// ARTIFACT: locations {{ *}}none
module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense_resource<weights> : tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    %2 = call @helper() : () -> tensor<2xf8E3M4>
    return %1 : tensor<4xf32>
  }
  func.func private @helper() -> tensor<2xf8E3M4> {
    %0 = stablehlo.constant dense<1.0> : tensor<2xf8E3M4>
    return %0 : tensor<2xf8E3M4>
  }
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
