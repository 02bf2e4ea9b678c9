// rejects
func.func @main(%x: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  %0 = sdy.reshard %x <@mesh, [{}, {}, {}]> : tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}
