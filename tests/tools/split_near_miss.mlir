// What is almost a marker is warned of, and separates nothing.
//
// RUN: dxir-opt %s --split-input-file -o %t.out 2>%t.said
// RUN: cat %t.said | FileCheck %s --check-prefix=SAID
// RUN: cat %t.out | FileCheck %s
// RUN: dxir-translate %s --split-input-file -o %t.out 2>%t.said
// RUN: cat %t.said | FileCheck %s --check-prefix=SAID
// RUN: dxir-opt %s -o %t.out 2>&1 | count 0

// SAID: split_near_miss.mlir:18:7: warning: near miss with file split marker
// SAID-NOT: warning

// CHECK: @first
// CHECK-NOT: module
// CHECK: @second

func.func private @first()
// ----
func.func private @second()
