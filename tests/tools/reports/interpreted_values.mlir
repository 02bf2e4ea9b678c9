// tt-mlir#9211, nx#838, stablehlo-coreml#70, iree#24927, iree#24929, Enzyme-JAX#1970, stablehlo#1662:
// values that backends disagree about, by the interpreter, before and after the passes that fold them.
//
// RUN: dxir-translate --interpret %s
// RUN: dxir-opt %s --dxir-simplify --dxir-fold --dxir-dce --canonicalize --cse | dxir-translate --interpret
// RUN: dxir-opt %s --dxir-fold=inexact --dxir-simplify --inline --dxir-share-constants | dxir-translate --interpret

func.func @main() {
  call @gather() : () -> ()
  call @division() : () -> ()
  call @shifts() : () -> ()
  call @branches() : () -> ()
  call @inits() : () -> ()
  return
}

func.func private @gather() {
  %x = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
  %i = stablehlo.constant dense<[[0], [-5], [3], [100]]> : tensor<4x1xi64>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>, indices_are_sorted = false}> : (tensor<4x2xi32>, tensor<4x1xi64>) -> tensor<4x2xi32>
  check.expect_eq_const %0, dense<[[0, 1], [0, 1], [6, 7], [6, 7]]> : tensor<4x2xi32>
  %y = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %u = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.dynamic_slice %y, %three, sizes = [3] : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %2 = stablehlo.dynamic_update_slice %y, %u, %three : (tensor<4xi32>, tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %1, dense<[1, 2, 3]> : tensor<3xi32>
  check.expect_eq_const %2, dense<[0, 7, 8, 9]> : tensor<4xi32>
  return
}

func.func private @division() {
  %x = stablehlo.constant dense<[-7, 7, -7, 7]> : tensor<4xi32>
  %y = stablehlo.constant dense<[2, -2, -2, 2]> : tensor<4xi32>
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  %1 = stablehlo.remainder %x, %y : tensor<4xi32>
  check.expect_eq_const %0, dense<[-3, -3, 3, 3]> : tensor<4xi32>
  check.expect_eq_const %1, dense<[-1, 1, -1, 1]> : tensor<4xi32>
  %a = stablehlo.constant dense<[-7.5, 5.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[2.0, 0x7F800000]> : tensor<2xf32>
  %2 = stablehlo.remainder %a, %b : tensor<2xf32>
  check.expect_eq_const %2, dense<[-1.5, 5.0]> : tensor<2xf32>
  return
}

func.func private @shifts() {
  %x = stablehlo.constant dense<3735928559> : tensor<3xui32>
  %n = stablehlo.constant dense<[0, 31, 32]> : tensor<3xui32>
  %w = stablehlo.constant dense<32> : tensor<3xui32>
  %m = stablehlo.subtract %w, %n : tensor<3xui32>
  %0 = stablehlo.shift_left %x, %n : tensor<3xui32>
  %1 = stablehlo.shift_right_logical %x, %m : tensor<3xui32>
  %2 = stablehlo.or %0, %1 : tensor<3xui32>
  check.expect_eq_const %0, dense<[3735928559, 2147483648, 0]> : tensor<3xui32>
  check.expect_eq_const %2, dense<[3735928559, 4015447927, 3735928559]> : tensor<3xui32>
  %s = stablehlo.constant dense<-559038737> : tensor<3xi32>
  %k = stablehlo.constant dense<[0, 31, 32]> : tensor<3xi32>
  %3 = stablehlo.shift_right_arithmetic %s, %k : tensor<3xi32>
  check.expect_eq_const %3, dense<[-559038737, -1, -1]> : tensor<3xi32>
  return
}

func.func private @branches() {
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<11> : tensor<i32>
  %c = stablehlo.constant dense<12> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.case"(%seven) ({ stablehlo.return %a : tensor<i32> }, { stablehlo.return %b : tensor<i32> }, { stablehlo.return %c : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.case"(%minus) ({ stablehlo.return %a : tensor<i32> }, { stablehlo.return %b : tensor<i32> }, { stablehlo.return %c : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<12> : tensor<i32>
  check.expect_eq_const %1, dense<12> : tensor<i32>
  return
}

func.func private @inits() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %k = stablehlo.constant dense<7.0> : tensor<f32>
  %j = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%x, %j) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<17.0> : tensor<f32>
  check.expect_eq_const %1, dense<[16.0, 13.0, 11.0, 14.0]> : tensor<4xf32>
  return
}
