// Options that answer without reading anything.
//
// RUN: dxir-opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: dxir-opt --help > %t && dxir-opt --help-list | diff %t - && dxir-opt -help-hidden | diff %t -

// PASSES-DAG: {{^ *(--)?}}canonicalize
// PASSES-DAG: {{^ *(--)?}}dxir-decompose
// PASSES-DAG: {{^ *(--)?}}sdy-propagation-pipeline
// PASSES-DAG: {{^ *(--)?}}stablehlo-refine-shapes
