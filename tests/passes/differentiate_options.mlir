// RUN: not dxir-opt %s --dxir-differentiate=function=nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not dxir-opt %s "--dxir-differentiate=mode=forward seed=one" 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not dxir-opt %s --dxir-differentiate=loops=often 2>&1 | FileCheck %s --check-prefix=LOOPS
// RUN: not dxir-opt %s --dxir-differentiate=wrt=1 2>&1 | FileCheck %s --check-prefix=WRT
// RUN: not dxir-opt %s --dxir-differentiate=outputs=1 2>&1 | FileCheck %s --check-prefix=OUTPUTS

// NOWHERE: there is no function @nowhere with a body
// NOWHERE: the module has @main
// SEED: seed=one is for mode=reverse
// LOOPS: loops is 'often'
// WRT: wrt names parameter 1 of main, which is i32[4]
// OUTPUTS: outputs names result 1, but main has 1
func.func @main(%x: tensor<4xf32>, %n: tensor<4xi32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
