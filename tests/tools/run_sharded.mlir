// A sharded program as XLA partitions it, as dxir does, and on one device.
//
// RUN: dxir-run %s --random --devices=8 --compare=xla-cpu,xla-cpu-partitioned,xla-cpu-single,reference | FileCheck %s
// RUN: dxir-run %s --random --backend=xla-cpu-partitioned --json | FileCheck %s --check-prefix=ONE
// RUN: dxir-run %s --random 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not dxir-run %s --random --backend=xla-cpu-partitioned --devices=4 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not dxir-run %s --random --backend=partitioned 2>&1 | FileCheck %s --check-prefix=NAME

// CHECK: judged by reference
// CHECK: xla-cpu {{ *}}0 {{ *}}{{equal|close}}
// CHECK: xla-cpu-partitioned {{ *}}0 {{ *}}{{equal|close}}
// CHECK: xla-cpu-single {{ *}}0 {{ *}}{{equal|close}}
// ONE: "type": "f32[8, 6]"
// WHOLE: note: {{.*}}run_sharded.mlir:21:1: the program is sharded over 8 devices (the mesh @mesh), but it runs whole
// WHOLE-SAME: --devices=8 partitions it
// FEW: the program is for 8 devices (the mesh @mesh), not for 4
// FEW: give it 8 devices
// NAME: error: there is no backend 'partitioned'
// NAME: note: did you mean 'xla-cpu-partitioned'?

sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}
