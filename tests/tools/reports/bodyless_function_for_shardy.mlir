// xla#47398: Shardy's passes end their process on a function without a body. The tool does not end
// with it: exit code 1, and an error that names the pass and the file.
//
// EXECUTABLES: only
// RUN: not dxir-opt %s --sdy-propagation-pipeline 2>&1 | FileCheck %s
// RUN: not dxir-opt %s --dxir-dce --sdy-import-pipeline 2>&1 | FileCheck %s

// CHECK: error: the pass sdy-{{[a-z]+}}-pipeline {{.*}}ended {{.*}}process with SIGSEGV
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
