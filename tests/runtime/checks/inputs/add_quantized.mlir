// The folder `quantized`: `check.eq` gives a boolean, which `main` returns.
module @jit_main {
  func.func @main() -> tensor<i1> {
    %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<[3.0, -4.0]> : tensor<2xf32>
    %2 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %3 = stablehlo.add %2, %2 : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %4 = stablehlo.uniform_dequantize %3 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
    %5 = stablehlo.custom_call @check.eq(%1, %4) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
    return %5 : tensor<i1>
  }
}
