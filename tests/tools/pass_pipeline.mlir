// Pipelines as text: anchors are put in where they are needed, and errors point into the text.
//
// RUN: dxir-opt %s --pass-pipeline='builtin.module(func.func(cse),symbol-dce)' | FileCheck %s
// RUN: dxir-opt %s --pass-pipeline 'cse,symbol-dce' | FileCheck %s
// RUN: dxir-opt %s -p 'any(cse),symbol-dce' | FileCheck %s
// RUN: dxir-opt %s --pass-pipeline='cse, func.func( chlo-legalize-to-stablehlo ), canonicalize{max-iterations=2}, symbol-dce' | FileCheck %s
// RUN: dxir-opt %s --pass-pipeline='builtin.module(cse,dxir-decompose,symbol-dce)' | FileCheck %s
// RUN: dxir-opt %s --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=UNCHANGED
// RUN: dxir-opt %s --cse --symbol-dce --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP

// RUN: not dxir-opt %s --pass-pipeline='builtin.module(csee)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not dxir-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not dxir-opt %s --pass-pipeline='builtin.module(cse{no-such=1})' 2>&1 | FileCheck %s --check-prefix=NATIVE-OPTION
// RUN: not dxir-opt %s --pass-pipeline='dxir-decompose{keeps=a}' 2>&1 | FileCheck %s --check-prefix=OWN-OPTION
// RUN: not dxir-opt %s --pass-pipeline='fun.func(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not dxir-opt %s --pass-pipeline='cse' --canonicalize 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not dxir-opt %s --pass-pipeline='func.func(symbol-dce)' 2>&1 | FileCheck %s --check-prefix=NESTED

// CHECK-LABEL: func.func @twice
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %arg0
// CHECK-NEXT: stablehlo.add %[[T]], %[[T]]
// CHECK-NOT: @unused

// UNCHANGED: stablehlo.tanh
// UNCHANGED-NEXT: stablehlo.tanh
// UNCHANGED: @unused

// DUMP: builtin.module(cse{{.*}},symbol-dce{{.*}})

// UNKNOWN: error: {{.*}}csee
// UNKNOWN: builtin.module(csee)
// UNKNOWN: {{^ +}}^
// UNKNOWN: did you mean cse?

// OPEN: error: {{.*}}parenthesis
// NATIVE-OPTION: error: {{.*}}cse{{.*}}no-such
// OWN-OPTION: error: {{.*}}dxir-decompose has no option 'keeps'
// OWN-OPTION: did you mean keep or kernels?
// ANCHOR: error: {{.*}}fun.func
// BOTH: error: '-pass-pipeline' option can't be used with individual pass options
// NESTED: error: {{.*}}symbol-dce

func.func @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = stablehlo.tanh %a : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @unused(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
