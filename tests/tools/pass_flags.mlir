// Passes as flags, in the order of the command line, in every spelling.
//
// RUN: dxir-opt %s -cse --canonicalize | FileCheck %s
// RUN: dxir-opt --canonicalize='max-iterations=3 top-down=false' -cse %s | FileCheck %s
// RUN: dxir-opt -cse=false-is-no-option %s --help | FileCheck %s --check-prefix=HELP
// RUN: dxir-opt %s --stablehlo-legalize-to-vhlo --vhlo-legalize-to-stablehlo --cse --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: dxir-opt %s --dxir-decompose='keep=acme.norm,acme.scale' --cse | FileCheck %s

// RUN: not dxir-opt %s --canonicalise 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not dxir-opt %s --verify-diagnostic 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not dxir-opt %s --verify-each=maybe 2>&1 | FileCheck %s --check-prefix=BOOLEAN
// RUN: not dxir-opt %s %s 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not dxir-opt %s -o 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not dxir-opt %s --load-pass-plugin=x.so 2>&1 | FileCheck %s --check-prefix=PLUGIN
// RUN: not dxir-opt %s.none 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not dxir-opt %s --canonicalize='max-iterations=many' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not dxir-opt %s -o %t/none/out.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT

// CHECK-LABEL: func.func @twice
// CHECK: %[[T:.*]] = stablehlo.tanh %arg0
// CHECK-NEXT: stablehlo.add %[[T]], %[[T]]

// ORDER: builtin.module(stablehlo-legalize-to-vhlo{{.*}},vhlo-legalize-to-stablehlo{{.*}},cse{{.*}})
// ORDER: stablehlo.tanh

// HELP: usage: dxir-opt [options] [FILE]
// HELP: Input and output:
// HELP: --split-input-file[=MARKER]
// HELP: Diagnostics:

// PASS: dxir-opt: error: Unknown command line argument '--canonicalise'.  Try: 'dxir-opt --help'
// PASS: did you mean --canonicalize?
// OPTION: did you mean --verify-diagnostics
// BOOLEAN: for the --verify-each option: 'maybe' is invalid value for boolean argument! Try 0 or 1
// TWO: Too many positional arguments specified!
// VALUE: for the -o option: requires a value!
// PLUGIN: --load-pass-plugin is not supported
// MISSING: cannot open input file '{{.*}}pass_flags.mlir.none': No such file or directory
// NUMBER: error: {{.*}}max-iterations
// OUTPUT: error: {{.*}}No such file or directory

func.func @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = stablehlo.tanh %a : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
