// A module as text, bytecode and artifacts of several versions, and back.

// RUN: dxir-translate %s > %t.text
// RUN: dxir-translate --serialize --target=current %s | dxir-translate --deserialize | diff %t.text -
// RUN: dxir-translate -serialize -target=1.0.0 %s -o %t.bc
// RUN: dxir-translate -deserialize %t.bc | diff %t.text -
// RUN: dxir-translate %t.bc --emit=bytecode -o - | dxir-translate - | diff %t.text -
// RUN: dxir-translate --emit=artifact --target=minimum %s | dxir-translate --print-stablehlo-version --deserialize | FileCheck %s --check-prefix=MINIMUM
// RUN: dxir-translate --deserialize --print-stablehlo-version %t.bc | FileCheck %s --check-prefix=VERSION
// RUN: dxir-translate --deserialize --print-stablehlo-version %s | FileCheck %s --check-prefix=NO-VERSION
// RUN: dxir-translate --serialize --strip-debuginfo %s | dxir-translate --mlir-print-debuginfo | FileCheck %s --check-prefix=STRIPPED
// RUN: dxir-translate --serialize %s | dxir-translate --mlir-print-debuginfo | FileCheck %s --check-prefix=PLACES
// RUN: dxir-translate --serialize --target=12w %s | dxir-translate --deserialize | diff %t.text -
// RUN: not dxir-translate --serialize --target=9.9.9 %s 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: not dxir-translate --serialize --target=newest %s 2>&1 | FileCheck %s --check-prefix=NO-SUCH
// RUN: not dxir-translate --serialize --interpret %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not dxir-translate --serialise %s 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: echo "not a module" | not dxir-translate 2>&1 | FileCheck %s --check-prefix=GARBAGE
// RUN: not dxir-translate %t.none 2>&1 | FileCheck %s --check-prefix=NO-FILE

// VERSION: // Reading portable artifact with StableHLO version: 1.0.0
// MINIMUM: // Reading portable artifact with StableHLO version: 0.9.0
// NO-VERSION: // Failed parsing StableHLO version from portable artifact
// STRIPPED: #loc = loc(unknown)
// STRIPPED: stablehlo.add {{.*}} loc(#loc)
// PLACES: translate_forms.mlir":{{[0-9]+}}:8)
// NEW: dxir-translate: error: cannot write StableHLO 9.9.9: the writer, this jaxlib, is the older side
// NO-SUCH: dxir-translate: error: 'newest' is not a version of StableHLO
// BOTH: dxir-translate: error: --serialize and --interpret cannot be given together
// MISSPELT: dxir-translate: error: Unknown command line argument '--serialise'
// MISSPELT-NEXT: dxir-translate: note: did you mean --serialize
// GARBAGE: <stdin>:1:1: error: custom op 'not' is unknown
// NO-FILE: dxir-translate: error: cannot open input file

func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> attributes {note = "kept"} {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
