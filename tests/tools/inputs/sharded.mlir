sdy.mesh @grid = <["rows"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@grid, [{"rows"}]>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
