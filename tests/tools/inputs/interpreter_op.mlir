func.func @main(%a: tensor<4xf32>) {
  interpreter.print %a : tensor<4xf32>
  return
}
