// The form of the tests of StableHLO's interpreter: functions without parameters, each a test.
func.func @add_op_test_si4() {
  %0 = stablehlo.constant dense<[0, 1, 2, -3, 0]> : tensor<5xi4>
  %1 = stablehlo.constant dense<[-8, -1, 2, -3, 7]> : tensor<5xi4>
  %2 = stablehlo.add %0, %1 : tensor<5xi4>
  check.expect_eq_const %2, dense<[-8, 0, 4, -6, 7]> : tensor<5xi4>
  func.return
}

// -----

func.func @add_op_test_i1() {
  %0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %2 = stablehlo.add %0, %1 : tensor<4xi1>
  check.expect_eq_const %2, dense<[false, true, true, true]> : tensor<4xi1>
  func.return
}

// -----

func.func @add_op_test_f8() {
  %0 = stablehlo.constant dense<[0.0, 1.0, 2.0, 0x7F]> : tensor<4xf8E4M3FN>
  %1 = stablehlo.constant dense<[0.0, 7.0, 0.75, 1.0]> : tensor<4xf8E4M3FN>
  %2 = stablehlo.add %0, %1 : tensor<4xf8E4M3FN>
  check.expect_almost_eq_const %2, dense<[0.0, 8.0, 2.75, 0x7F]> : tensor<4xf8E4M3FN>
  func.return
}

// -----

func.func @add_op_test_c128() {
  %0 = stablehlo.constant dense<[(1.5, 2.5), (3.5, 4.5)]> : tensor<2xcomplex<f64>>
  %1 = stablehlo.add %0, %0 : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %1, dense<[(3.0, 5.0), (7.0, 9.0)]> : tensor<2xcomplex<f64>>
  func.return
}

// -----

func.func @add_op_scalar() {
  %0 = stablehlo.constant dense<2> : tensor<i64>
  %1 = stablehlo.constant dense<3> : tensor<i64>
  %2 = stablehlo.add %0, %1 : tensor<i64>
  check.expect_eq_const %2, dense<5> : tensor<i64>
  func.return
}
