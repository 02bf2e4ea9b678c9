// Reads and writes at places that are known, and positions for rotary embeddings.
module @places {
  func.func @main(%table: tensor<600x8xf32>, %update: tensor<3x8xf32>, %cache: tensor<4x600x8xf32>, %at: tensor<i32>) -> (tensor<3x8xf32>, tensor<600x8xf32>, tensor<1x16x8xf32>, tensor<600xf32>, tensor<600xui8>, tensor<4x600x8xf32>, tensor<600x8xf32>) {
    %ids = stablehlo.constant dense<[[3], [17], [599]]> : tensor<3x1xi32>
    %rows = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 8>}> : (tensor<600x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
    %spots = stablehlo.constant dense<[[5], [2], [40]]> : tensor<3x1xi32>
    %written = "stablehlo.scatter"(%table, %spots, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      stablehlo.return %new : tensor<f32>
    }) : (tensor<600x8xf32>, tensor<3x1xi32>, tensor<3x8xf32>) -> tensor<600x8xf32>
    %added = "stablehlo.scatter"(%table, %spots, %update) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%old: tensor<f32>, %new: tensor<f32>):
      %sum = stablehlo.add %old, %new : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<600x8xf32>, tensor<3x1xi32>, tensor<3x8xf32>) -> tensor<600x8xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %start = stablehlo.constant dense<584> : tensor<i32>
    %window = stablehlo.dynamic_slice %cache, %at, %start, %zero, sizes = [1, 16, 8] : (tensor<4x600x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %next = stablehlo.dynamic_update_slice %cache, %window, %at, %zero, %zero : (tensor<4x600x8xf32>, tensor<1x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x600x8xf32>
    %position = stablehlo.iota dim = 0 : tensor<600xf32>
    %rate = stablehlo.constant dense<1.0e-02> : tensor<600xf32>
    %angle = stablehlo.multiply %position, %rate : tensor<600xf32>
    %bits = stablehlo.iota dim = 0 : tensor<600xui32>
    %eight = stablehlo.constant dense<2> : tensor<600xui32>
    %shifted = stablehlo.shift_right_logical %bits, %eight : tensor<600xui32>
    %byte = stablehlo.convert %shifted : (tensor<600xui32>) -> tensor<600xui8>
    return %rows, %written, %window, %angle, %byte, %next, %added : tensor<3x8xf32>, tensor<600x8xf32>, tensor<1x16x8xf32>, tensor<600xf32>, tensor<600xui8>, tensor<4x600x8xf32>, tensor<600x8xf32>
  }
}
