// stablehlo#2072: all dialects that programs use are there; an unknown one is named, with the way
// out, whether it is that of an op, a type or an attribute. With the flag, passes leave such ops be.
//
// RUN: not dxir-opt %s -split-input-file 2>&1 | FileCheck %s
// RUN: not dxir-translate --serialize %s -split-input-file -o %t.bc 2>&1 | FileCheck %s
// RUN: dxir-opt %s -split-input-file --allow-unregistered-dialect --cse --canonicalize --dxir-simplify --dxir-fold --dxir-dce --dxir-share-constants --dxir-canonical-names --inline | FileCheck %s --check-prefix=KEPT

// KEPT: mhlo.add
// KEPT: stablehlo.add
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
  %2 = mhlo.add %1, %1 : tensor<4xf32>
  %3 = stablehlo.add %2, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// CHECK: unknown_dialect.mlir:{{[0-9]+}}:18: error: {{.*}}unregistered dialect
// CHECK: note: {{.*}}--allow-unregistered-dialect
// KEPT: "tosa.abs"
// KEPT: "tosa.abs"
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "tosa.abs"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "tosa.abs"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  %2 = stablehlo.add %0, %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}

// -----

// CHECK: error: {{.*}}torch{{.*}}unregistered dialect
// CHECK: note: {{.*}}--allow-unregistered-dialect
// KEPT: !torch.vtensor<[4],f32>
func.func @main(%a: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  return %a : !torch.vtensor<[4],f32>
}

// -----

// CHECK: error: {{.*}}foo{{.*}}unregistered dialect
// CHECK: note: {{.*}}--allow-unregistered-dialect
// KEPT: #foo.bar<1>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> attributes {acme.x = #foo.bar<1>} {
  return %a : tensor<4xf32>
}
