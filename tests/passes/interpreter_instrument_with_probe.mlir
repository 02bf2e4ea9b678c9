// RUN: stablehlo-opt %s --interpreter-instrument-with-probe --split-input-file --allow-unregistered-dialect | FileCheck %s
// RUN: stablehlo-opt %s --interpreter-instrument-with-probe="useDebugInfo=true" --split-input-file --allow-unregistered-dialect | FileCheck %s --check-prefix=NAMES
// RUN: stablehlo-opt %s --pass-pipeline='builtin.module(interpreter-instrument-with-probe{useDebugInfo=true})' --split-input-file --allow-unregistered-dialect | FileCheck %s --check-prefix=NAMES
// RUN: stablehlo-opt %s --interpreter-instrument-with-probe --interpreter-instrument-with-probe --split-input-file --allow-unregistered-dialect | FileCheck %s

// Numbers count over the whole module; what used a value uses its probe.
// CHECK-LABEL: func.func @two(
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %arg1 : tensor<3xf32>
// CHECK-NEXT: %[[SEEN:.*]] = interpreter.probe %[[SUM]], probe_id = "probe1" : tensor<3xf32>
// CHECK-NEXT: %[[BACK:.*]] = stablehlo.negate %[[SEEN]] : tensor<3xf32>
// CHECK-NEXT: %[[LAST:.*]] = interpreter.probe %[[BACK]], probe_id = "probe2" : tensor<3xf32>
// CHECK-NEXT: return %[[LAST]], %[[SEEN]]
// CHECK-LABEL: func.func @other(
// CHECK: interpreter.probe %{{.*}}, probe_id = "probe3" : tensor<2xi1>
// The names of locations go before the numbers, up to what stands after an `@`.
// NAMES-LABEL: func.func @two(
// NAMES: probe_id = "layer 1/sum.1"
// NAMES: probe_id = "probe2"
// NAMES-LABEL: func.func @other(
// NAMES: probe_id = "less.3"
func.func @two(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.add %x, %y : tensor<3xf32> loc("layer 1/sum"("model.py":3:4))
  %1 = stablehlo.negate %0 : tensor<3xf32> loc(fused["a", "b"])
  return %1, %0 : tensor<3xf32>, tensor<3xf32>
}
func.func @other(%x: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1> loc("less@model")
  return %0 : tensor<2xi1>
}

// -----

// Left alone: constants, and what is no tensor or none that the interpreter knows.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT: %[[TOKEN:.*]] = stablehlo.create_token
// CHECK-NEXT: %[[TUPLE:.*]] = stablehlo.tuple %arg0
// CHECK-NEXT: %[[CONSTANT:.*]] = stablehlo.constant dense<2>
// CHECK-NEXT: %[[SHAPE:.*]] = shape.shape_of %arg0
// CHECK-NEXT: %[[OTHER:.*]] = "acme.widen"(%arg0) : (tensor<f32>) -> tensor<f128>
// CHECK-NEXT: stablehlo.custom_call @acme.tick()
// CHECK-NEXT: return %[[TOKEN]], %[[TUPLE]], %[[CONSTANT]], %[[SHAPE]], %[[OTHER]]
func.func @kept(%x: tensor<f32>) -> (!stablehlo.token, tuple<tensor<f32>>, tensor<i64>, tensor<0xindex>, tensor<f128>) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.tuple %x : tuple<tensor<f32>>
  %2 = stablehlo.constant dense<2> : tensor<i64>
  %3 = shape.shape_of %x : tensor<f32> -> tensor<0xindex>
  %4 = "acme.widen"(%x) : (tensor<f32>) -> tensor<f128>
  stablehlo.custom_call @acme.tick() {has_side_effect = true} : () -> ()
  return %0, %1, %2, %3, %4 : !stablehlo.token, tuple<tensor<f32>>, tensor<i64>, tensor<0xindex>, tensor<f128>
}

// -----

// Tensors of every kind that the interpreter knows, of dynamic shape as well; ops of any dialect.
// CHECK-LABEL: func.func @kinds(
// CHECK: interpreter.probe %{{.*}}, probe_id = "probe1" : tensor<?xcomplex<f32>>
// CHECK: interpreter.probe %{{.*}}, probe_id = "probe2" : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK: interpreter.probe %{{.*}}, probe_id = "probe3" : tensor<0xi4>
func.func @kinds(%x: tensor<?xf32>, %q: tensor<2xf32>, %i: tensor<0xi4>) -> (tensor<?xcomplex<f32>>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<0xi4>) {
  %0 = stablehlo.complex %x, %x : tensor<?xcomplex<f32>>
  %1 = stablehlo.uniform_quantize %q : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %2 = "acme.shuffle"(%i) : (tensor<0xi4>) -> tensor<0xi4>
  return %0, %1, %2 : tensor<?xcomplex<f32>>, tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<0xi4>
}

// -----

// What is in a region is probed before the op it belongs to; of several results each.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[LOOP:.*]]:2 = stablehlo.while
// CHECK: %[[MORE:.*]] = stablehlo.compare
// CHECK-NEXT: %[[SEEN:.*]] = interpreter.probe %[[MORE]], probe_id = "probe1" : tensor<i1>
// CHECK-NEXT: stablehlo.return %[[SEEN]]
// CHECK: probe_id = "probe2" : tensor<i32>
// CHECK: probe_id = "probe3" : tensor<f32>
// CHECK: interpreter.probe %[[LOOP]]#1, probe_id = "probe5" : tensor<f32>
// CHECK: interpreter.probe %[[LOOP]]#0, probe_id = "probe4" : tensor<i32>
func.func @loop(%x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.multiply %a, %a : tensor<f32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<f32>
}

// -----

// Near misses: a value with a probe gets no other, and no number is given twice.
// CHECK-LABEL: func.func @by_hand(
// CHECK: %[[SUM:.*]] = stablehlo.add
// CHECK-NEXT: %[[SEEN:.*]] = interpreter.probe %[[SUM]], probe_id = "mine.2" : tensor<f32>
// CHECK-NEXT: %[[BACK:.*]] = stablehlo.negate %[[SEEN]]
// CHECK-NEXT: interpreter.probe %[[BACK]], probe_id = "probe1" : tensor<f32>
// CHECK: stablehlo.exponential
// CHECK-NEXT: interpreter.probe %{{.*}}, probe_id = "probe3" : tensor<f32>
func.func @by_hand(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  %1 = interpreter.probe %0, probe_id = "mine.2" : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  %3 = stablehlo.exponential %2 : tensor<f32>
  return %3 : tensor<f32>
}
