// The version of the tool, and those of what it stands on.
//
// REQUIRES: installed
// EXECUTABLES: also
// RUN: dxir-opt --version | FileCheck %s
// RUN: dxir-opt %s.none --cse -version | FileCheck %s

// CHECK: dxir-opt (dxir {{[0-9]+\.[0-9]+.*}}, jaxlib {{[0-9]+\.[0-9]+.*}})
// CHECK-NEXT: StableHLO {{[0-9]+\.[0-9]+\.[0-9]+}}
