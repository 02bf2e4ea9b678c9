// Input that is no module is an error with a place, and exit code 1.
//
// EXECUTABLES: only
// RUN: not dxir-opt /dev/null --verify-diagnostics=x 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: printf 'ML\357R garbage' | not dxir-opt 2>&1 | FileCheck %s --check-prefix=BYTECODE
// RUN: printf 'func.func @f(' | not dxir-opt - 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: printf '\377\376\000' | not dxir-opt 2>&1 | FileCheck %s --check-prefix=BINARY
// RUN: printf 'module { func.func private @f() \n }' | dxir-opt | FileCheck %s
// RUN: printf '' | dxir-opt | FileCheck %s --check-prefix=EMPTY
// RUN: not dxir-opt %S 2>&1 | FileCheck %s --check-prefix=FOLDER

// OPTION: Cannot find option named 'x'!
// BYTECODE: <stdin>{{.*}}: error: {{.+}}
// TEXT: <stdin>:1:{{[0-9]+}}: error: {{.+}}
// BINARY: <stdin>{{.*}}: error: {{.+}}
// CHECK: func.func private @f()
// EMPTY: module {
// FOLDER: error: cannot open input file '{{.*}}': Is a directory
