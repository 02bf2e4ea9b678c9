// RUN: stablehlo-opt %s --hlo-test-infer --allow-unregistered-dialect --split-input-file --verify-diagnostics

func.func @shape(%x: tensor<?xf32>) -> tensor<1xindex> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  // expected-error @+1 {{hlo_test_infer.reify_return_type_shapes cannot be answered: the MLIR inside jaxlib lets nobody outside of it ask}}
  %1 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %1 : tensor<1xindex>
}

// -----

func.func @argument(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{it asks about one op, by a result of it as the only operand}}
  %0 = "hlo_test_infer.get_return_types"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "acme.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @+1 {{acme.op infers no types}}
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @shapeless(%x: tensor<2xf32>) -> tensor<1xf32> {
  %0 = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  // expected-error @+1 {{stablehlo.slice infers no shapes}}
  %1 = "hlo_test_infer.get_return_type_components"(%0) : (tensor<1xf32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
