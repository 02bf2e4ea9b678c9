"builtin.module"() <{sym_name = "mlp"}> ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>, tensor<16x3xf32>) -> tensor<4x3xf32>, sym_name = "main"}> ({
  ^bb0(%v0: tensor<4x8xf32>, %v1: tensor<8x16xf32>, %v2: tensor<16xf32>, %v3: tensor<16x3xf32>):
    %v4 = "stablehlo.dot_general"(%v0, %v1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %v5 = "stablehlo.broadcast_in_dim"(%v2) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<4x16xf32>
    %v6 = "stablehlo.add"(%v4, %v5) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %v7 = "func.call"(%v6) <{callee = @relu}> : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %v8 = "stablehlo.dot_general"(%v7, %v3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x16xf32>, tensor<16x3xf32>) -> tensor<4x3xf32>
    %v9 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %v10 = "stablehlo.reduce"(%v8, %v9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%v11: tensor<f32>, %v12: tensor<f32>):
      %v13 = "stablehlo.add"(%v11, %v12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%v13) : (tensor<f32>) -> ()
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
    %v14 = "stablehlo.broadcast_in_dim"(%v10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x3xf32>
    %v15 = "stablehlo.subtract"(%v8, %v14) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %v16 = "stablehlo.concatenate"(%v15, %v8) <{dimension = 0 : i64}> : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
    %v17 = "stablehlo.slice"(%v16) <{start_indices = array<i64: 2, 0>, limit_indices = array<i64: 6, 3>, strides = array<i64: 1, 1>}> : (tensor<8x3xf32>) -> tensor<4x3xf32>
    "func.return"(%v17) : (tensor<4x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x16xf32>) -> tensor<4x16xf32>, sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%v0: tensor<4x16xf32>):
    %v1 = "stablehlo.constant"() <{value = dense<0.0> : tensor<4x16xf32>}> : () -> tensor<4x16xf32>
    %v2 = "stablehlo.maximum"(%v0, %v1) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    "func.return"(%v2) : (tensor<4x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()
