// Chunks are modules of their own: names repeat, an error in one leaves the others alone.
//
// EXECUTABLES: also
// RUN: dxir-opt %s --split-input-file | FileCheck %s
// RUN: dxir-opt %s -split-input-file --output-split-marker='// =====' | FileCheck %s --check-prefix=MARKER
// RUN: not dxir-opt %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: sed 's:^// \(-*\)$:# \1#:' %s | dxir-opt --split-input-file='# --''---#' | FileCheck %s
// RUN: not dxir-opt %S/inputs/second_chunk_is_bad.mlir --split-input-file 2>&1 >%t | FileCheck %s --check-prefix=BAD
// RUN: cat %t | FileCheck %s --check-prefix=GOOD

// CHECK: module {
// CHECK-NEXT: func.func @same_name(%arg0: tensor<2xf32>)
// CHECK: {{^}}// ---{{-}}-{{$}}
// CHECK-NEXT: module {
// CHECK-NEXT: func.func @same_name(%arg0: tensor<3xf32>)
// CHECK-NOT: ---{{-}}-

// MARKER: {{^}}// ====={{$}}
// MARKER-NOT: =====

// WHOLE: split_input_file.mlir:[[# @LINE + 10]]:{{[0-9]+}}: error: redefinition of symbol named 'same_name'

// BAD: second_chunk_is_bad.mlir:7:23: error: use of undeclared SSA value name
// GOOD: func.func @first
// GOOD: func.func @third

func.func @same_name(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
// -----
func.func @same_name(%a: tensor<3xf32>) -> tensor<3xf32> {
  return %a : tensor<3xf32>
}
