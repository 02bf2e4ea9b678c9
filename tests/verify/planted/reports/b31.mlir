func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x4xi32>, %c: tensor<?x5xi32>, %i: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %0:3 = "stablehlo.reduce"(%a, %b, %c, %i, %i, %i) <{dimensions = array<i64: 0, 1>}> ({
   ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>, %w: tensor<i32>):
     stablehlo.return %x, %y, %z : tensor<i32>, tensor<i32>, tensor<i32>
  }) : (tensor<?x?xi32>, tensor<?x4xi32>, tensor<?x5xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}
