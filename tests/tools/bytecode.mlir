// Bytecode out and in again, by pipe and by file, gives the module back.
//
// RUN: dxir-opt %s > %t.mlir
// RUN: dxir-opt %s --emit-bytecode | dxir-opt > %t.piped && diff %t.mlir %t.piped
// RUN: dxir-opt %s --emit-bytecode -o %t.mlirbc && dxir-opt %t.mlirbc -o %t.back && diff %t.mlir %t.back
// RUN: head -c 4 %t.mlirbc | grep -q ML
// RUN: dxir-opt %s --emit-bytecode --emit-bytecode-version=1 | dxir-opt - | diff %t.mlir -
// RUN: not dxir-opt %s --emit-bytecode --emit-bytecode-version=1000 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: dxir-opt %s --emit-bytecode -mlir-print-debuginfo | dxir-opt -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s
// RUN: head -c 100 %t.mlirbc > %t.cut
// RUN: not dxir-opt %t.cut 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: dxir-opt %s --verify-roundtrip --cse | FileCheck %s --check-prefix=SAME

// VERSION: error: {{.*}}1000
// CUT: bytecode.tmp.cut{{.*}}: error: {{.+}}

// CHECK: stablehlo.tanh %arg0 : tensor<4xbf16> loc("t"("model.py":3:1))
// SAME: stablehlo.tanh %arg0 : tensor<4xbf16>
func.func @main(%a: tensor<4xbf16> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}) -> tensor<4xbf16> attributes {acme.note = "kept"} {
  %0 = stablehlo.tanh %a : tensor<4xbf16> loc("t"("model.py":3:1))
  return %0 : tensor<4xbf16>
}
