// RUN: dxir-opt %s --dxir-coarsen --split-input-file --verify-diagnostics
// RUN: dxir-opt %s --dxir-coarsen --split-input-file 2>/dev/null | FileCheck %s --implicit-check-not=composite --implicit-check-not=dxir.

// Marked ops that cannot be one op stay as they are, without marks.

// CHECK-LABEL: func.func @around
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %arg0 : tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = stablehlo.sine %[[T]] : tensor<4xf32>
// CHECK-NEXT: stablehlo.add %[[T]], %[[S]] : tensor<4xf32>
func.func @around(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  // expected-warning @+1 {{marked ops stay as they are: stablehlo.sine uses a value from inside, and stablehlo.sine gives one later}}
  %2 = stablehlo.add %0, %1 {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @operand_later
func.func @operand_later(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %x {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : tensor<4xf32>
  %1 = stablehlo.sine %0 : tensor<4xf32>
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // expected-warning @+1 {{stablehlo.sine uses a value from inside, and stablehlo.constant gives one later}}
  %2 = stablehlo.add %0, %c {dxir.pattern = "acme.a", dxir.match_id = 0 : i64, dxir.match_operands = array<i64: -1, 0>} : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @blocks
func.func @blocks(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    // expected-warning @+1 {{marked ops stay as they are: they are in several blocks}}
    %a = stablehlo.sine %0 {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : tensor<4xf32>
    stablehlo.return %a : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @left
func.func @left(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  // expected-warning @+1 {{marked ops stay as they are: 2 ops were marked, and 1 are left}}
  %1 = stablehlo.multiply %x, %0 {dxir.match = {attributes = {}, composite = "dxir.silu", ops = 2 : i64}, dxir.match_id = 0 : i64, dxir.match_operands = array<i64: 0, -1>, dxir.pattern = "silu"} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @patterns
func.func @patterns(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : tensor<4xf32>
  // expected-warning @+1 {{they are marked with several patterns, or with none}}
  %1 = stablehlo.sine %0 {dxir.pattern = "acme.b", dxir.match_id = 0 : i64} : tensor<4xf32>
  // expected-warning @+1 {{they are marked with several patterns, or with none}}
  %2 = stablehlo.cosine %1 {dxir.match_id = 1 : i64} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @names
func.func @names(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning @+1 {{'dxir.a b' names no composite: it takes the form namespace.name}}
  %0 = stablehlo.tanh %x {dxir.pattern = "a b", dxir.match_id = 0 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @said
func.func @said(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning @+1 {{dxir.match says of operands what is not so}}
  %0 = stablehlo.tanh %x {dxir.pattern = "acme.a", dxir.match_id = 0 : i64, dxir.match = {operands = [5, 0, 0]}} : tensor<4xf32>
  // expected-warning @+1 {{the attributes in dxir.match are no dictionary}}
  %1 = stablehlo.tanh %0 {dxir.pattern = "acme.a", dxir.match_id = 1 : i64, dxir.match = {attributes = 3 : i64}} : tensor<4xf32>
  %2 = stablehlo.tanh %1 {dxir.pattern = "acme.a", dxir.match_id = 2 : i64} : tensor<4xf32>
  // expected-warning @+1 {{one of its operands is a value from inside}}
  %3 = stablehlo.sine %2 {dxir.pattern = "acme.a", dxir.match_id = 2 : i64, dxir.match_operands = array<i64: 0>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @effects
func.func @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @acme_log(%x) {has_side_effect = true, dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @acme_log(%x) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-warning @+1 {{stablehlo.custom_call stands between them, and the order of effects counts}}
  %2 = stablehlo.custom_call @acme_log(%0) {has_side_effect = true, dxir.pattern = "acme.a", dxir.match_id = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @no_result
// expected-warning @+1 {{one of them has no result}}
func.func @no_result() attributes {dxir.pattern = "acme.a", dxir.match_id = 0 : i64} {
  return
}
