// RUN: not dxir-opt %s --dxir-fold='max-elements=-1' 2>&1 | FileCheck %s
// CHECK: max-elements counts elements and cannot be -1
func.func @main() {
  return
}
