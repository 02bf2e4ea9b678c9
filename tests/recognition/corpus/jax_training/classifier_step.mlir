// Producer: optax 0.2.8 on jax 0.12.0.1
// Module: a step of training of two layers
// EXPECT: anything

module @jit_classifier_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<10xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<16x10xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16xf32> {jax.result_info = "result[1]['b1']"}, tensor<10xf32> {jax.result_info = "result[1]['b2']"}, tensor<8x16xf32> {jax.result_info = "result[1]['w1']"}, tensor<16x10xf32> {jax.result_info = "result[1]['w2']"}) {
    %0 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<4x16xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x16xf32>
    %4 = call @relu(%3) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %7 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x10xf32>) -> tensor<4x10xf32>
    %8 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<4x10xf32>
    %10 = stablehlo.add %7, %9 : tensor<4x10xf32>
    %11 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %12:2 = call @take_along_axis(%10, %11) : (tensor<4x10xf32>, tensor<4x1xi32>) -> (tensor<4x1xf32>, tensor<4x1x1xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %13:2 = call @_take(%12#0, %c) : (tensor<4x1xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<1xi32>)
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<4xf32>
    %17 = stablehlo.is_finite %16 : (tensor<4xf32>) -> tensor<4xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %19 = stablehlo.select %17, %16, %18 : tensor<4xi1>, tensor<4xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x10xf32>
    %22 = stablehlo.subtract %10, %21 : tensor<4x10xf32>
    %23 = stablehlo.exponential %22 : tensor<4x10xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<4xf32>
    %25 = stablehlo.abs %24 : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %27 = stablehlo.compare GE, %24, %26, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %28 = stablehlo.log %25 : tensor<4xf32>
    %29 = stablehlo.add %28, %19 : tensor<4xf32>
    %30 = stablehlo.subtract %29, %13#0 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %32 = stablehlo.divide %31, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %33 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %35 = stablehlo.negate %34 : tensor<4xf32>
    %36 = stablehlo.divide %34, %25 : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %38 = stablehlo.select %27, %37, %36 : tensor<4xi1>, tensor<4xf32>
    %39 = stablehlo.select %27, %36, %37 : tensor<4xi1>, tensor<4xf32>
    %40 = stablehlo.negate %38 : tensor<4xf32>
    %41 = stablehlo.add %39, %40 : tensor<4xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<4xf32>) -> tensor<4x10xf32>
    %43 = stablehlo.multiply %42, %23 : tensor<4x10xf32>
    %44 = call @_take_0(%13#1, %35) : (tensor<1xi32>, tensor<4xf32>) -> tensor<4x1xf32>
    %45 = call @take_along_axis_1(%12#1, %44) : (tensor<4x1x1xi32>, tensor<4x1xf32>) -> tensor<4x10xf32>
    %46 = stablehlo.add %43, %45 : tensor<4x10xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<4x10xf32>, tensor<f32>) -> tensor<10xf32>
    %48 = stablehlo.reshape %47 : (tensor<10xf32>) -> tensor<1x10xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %50 = stablehlo.dot_general %46, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<4x16xf32>) -> tensor<10x16xf32>
    %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %52 = stablehlo.dot_general %46, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x10xf32>, tensor<16x10xf32>) -> tensor<4x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %54 = stablehlo.select %6, %52, %53 : tensor<4x16xi1>, tensor<4x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<4x16xf32>, tensor<f32>) -> tensor<16xf32>
    %56 = stablehlo.reshape %55 : (tensor<16xf32>) -> tensor<1x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %58 = stablehlo.dot_general %54, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %69 = stablehlo.multiply %68, %57 : tensor<16xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %71 = stablehlo.multiply %70, %60 : tensor<16xf32>
    %72 = stablehlo.add %69, %71 : tensor<16xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %74 = stablehlo.multiply %73, %49 : tensor<10xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %76 = stablehlo.multiply %75, %61 : tensor<10xf32>
    %77 = stablehlo.add %74, %76 : tensor<10xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %79 = stablehlo.multiply %78, %59 : tensor<8x16xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %81 = stablehlo.multiply %80, %62 : tensor<8x16xf32>
    %82 = stablehlo.add %79, %81 : tensor<8x16xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %84 = stablehlo.multiply %83, %51 : tensor<16x10xf32>
    %cst_30 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %86 = stablehlo.multiply %85, %63 : tensor<16x10xf32>
    %87 = stablehlo.add %84, %86 : tensor<16x10xf32>
    %88 = stablehlo.multiply %57, %57 : tensor<16xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %90 = stablehlo.multiply %89, %88 : tensor<16xf32>
    %cst_32 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %92 = stablehlo.multiply %91, %64 : tensor<16xf32>
    %93 = stablehlo.add %90, %92 : tensor<16xf32>
    %94 = stablehlo.multiply %49, %49 : tensor<10xf32>
    %cst_33 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %96 = stablehlo.multiply %95, %94 : tensor<10xf32>
    %cst_34 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %98 = stablehlo.multiply %97, %65 : tensor<10xf32>
    %99 = stablehlo.add %96, %98 : tensor<10xf32>
    %100 = stablehlo.multiply %59, %59 : tensor<8x16xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %102 = stablehlo.multiply %101, %100 : tensor<8x16xf32>
    %cst_36 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %104 = stablehlo.multiply %103, %66 : tensor<8x16xf32>
    %105 = stablehlo.add %102, %104 : tensor<8x16xf32>
    %106 = stablehlo.multiply %51, %51 : tensor<16x10xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<16x10xf32>
    %cst_38 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %110 = stablehlo.multiply %109, %67 : tensor<16x10xf32>
    %111 = stablehlo.add %108, %110 : tensor<16x10xf32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %c_40 = stablehlo.constant dense<2147483647> : tensor<i32>
    %112 = stablehlo.compare LT, %c_39, %c_40, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %c_42 = stablehlo.constant dense<1> : tensor<i32>
    %113 = stablehlo.add %c_41, %c_42 : tensor<i32>
    %c_43 = stablehlo.constant dense<2147483647> : tensor<i32>
    %114 = call @_where_2(%112, %113, %c_43) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %cst_44 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %115 = stablehlo.convert %114 : (tensor<i32>) -> tensor<f32>
    %116 = stablehlo.power %cst_44, %115 : tensor<f32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %117 = stablehlo.subtract %cst_45, %116 : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %119 = stablehlo.divide %72, %118 : tensor<16xf32>
    %120 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %121 = stablehlo.divide %77, %120 : tensor<10xf32>
    %122 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %123 = stablehlo.divide %82, %122 : tensor<8x16xf32>
    %124 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %125 = stablehlo.divide %87, %124 : tensor<16x10xf32>
    %cst_46 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %126 = stablehlo.convert %114 : (tensor<i32>) -> tensor<f32>
    %127 = stablehlo.power %cst_46, %126 : tensor<f32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %128 = stablehlo.subtract %cst_47, %127 : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %130 = stablehlo.divide %93, %129 : tensor<16xf32>
    %131 = stablehlo.broadcast_in_dim %128, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %132 = stablehlo.divide %99, %131 : tensor<10xf32>
    %133 = stablehlo.broadcast_in_dim %128, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %134 = stablehlo.divide %105, %133 : tensor<8x16xf32>
    %135 = stablehlo.broadcast_in_dim %128, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %136 = stablehlo.divide %111, %135 : tensor<16x10xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %138 = stablehlo.add %130, %137 : tensor<16xf32>
    %139 = stablehlo.sqrt %138 : tensor<16xf32>
    %cst_49 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %141 = stablehlo.add %139, %140 : tensor<16xf32>
    %142 = stablehlo.divide %119, %141 : tensor<16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %144 = stablehlo.add %132, %143 : tensor<10xf32>
    %145 = stablehlo.sqrt %144 : tensor<10xf32>
    %cst_51 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %147 = stablehlo.add %145, %146 : tensor<10xf32>
    %148 = stablehlo.divide %121, %147 : tensor<10xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %150 = stablehlo.add %134, %149 : tensor<8x16xf32>
    %151 = stablehlo.sqrt %150 : tensor<8x16xf32>
    %cst_53 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %153 = stablehlo.add %151, %152 : tensor<8x16xf32>
    %154 = stablehlo.divide %123, %153 : tensor<8x16xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %156 = stablehlo.add %136, %155 : tensor<16x10xf32>
    %157 = stablehlo.sqrt %156 : tensor<16x10xf32>
    %cst_55 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %159 = stablehlo.add %157, %158 : tensor<16x10xf32>
    %160 = stablehlo.divide %125, %159 : tensor<16x10xf32>
    %cst_56 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %162 = stablehlo.multiply %161, %arg0 : tensor<16xf32>
    %163 = stablehlo.add %142, %162 : tensor<16xf32>
    %cst_57 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %165 = stablehlo.multiply %164, %arg1 : tensor<10xf32>
    %166 = stablehlo.add %148, %165 : tensor<10xf32>
    %cst_58 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %168 = stablehlo.multiply %167, %arg2 : tensor<8x16xf32>
    %169 = stablehlo.add %154, %168 : tensor<8x16xf32>
    %cst_59 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %171 = stablehlo.multiply %170, %arg3 : tensor<16x10xf32>
    %172 = stablehlo.add %160, %171 : tensor<16x10xf32>
    %cst_60 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %174 = stablehlo.multiply %173, %163 : tensor<16xf32>
    %cst_61 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %176 = stablehlo.multiply %175, %166 : tensor<10xf32>
    %cst_62 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %178 = stablehlo.multiply %177, %169 : tensor<8x16xf32>
    %cst_63 = stablehlo.constant dense<-1.000000e-03> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %180 = stablehlo.multiply %179, %172 : tensor<16x10xf32>
    %181 = stablehlo.add %arg0, %174 : tensor<16xf32>
    %182 = stablehlo.add %arg1, %176 : tensor<10xf32>
    %183 = stablehlo.add %arg2, %178 : tensor<8x16xf32>
    %184 = stablehlo.add %arg3, %180 : tensor<16x10xf32>
    return %32, %181, %182, %183, %184 : tensor<f32>, tensor<16xf32>, tensor<10xf32>, tensor<8x16xf32>, tensor<16x10xf32>
  }
  func.func private @relu(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x10xf32>, %arg1: tensor<4x1xi32>) -> (tensor<4x1xf32>, tensor<4x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x1xi1>, tensor<4x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x1xi32>) -> tensor<4x1x1xi32>
    %c_1 = stablehlo.constant dense<9> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x1x1xi1>, tensor<i1>) -> tensor<4x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x10xf32>, tensor<4x1x1xi32>) -> tensor<4x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x1xi1>, tensor<4x1xf32>
    return %15, %5 : tensor<4x1xf32>, tensor<4x1x1xi32>
  }
  func.func private @_take(%arg0: tensor<4x1xf32>, %arg1: tensor<i32>) -> (tensor<4xf32>, tensor<1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = call @_where(%0, %1, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<1xi32>
    %4 = stablehlo.convert %3 : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.compare GE, %4, %5, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %7 = stablehlo.compare LE, %4, %c_1, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %8 = stablehlo.and %6, %7 : tensor<1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.reduce(%8 init: %c_3) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %10 = "stablehlo.gather"(%arg0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x1xf32>, tensor<1xi32>) -> tensor<4xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.select %11, %10, %12 : tensor<4xi1>, tensor<4xf32>
    return %13, %3 : tensor<4xf32>, tensor<1xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_take_0(%arg0: tensor<1xi32>, %arg1: tensor<4xf32>) -> tensor<4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x1xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<4x1xf32>
    return %1 : tensor<4x1xf32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<4x1x1xi32>, %arg1: tensor<4x1xf32>) -> tensor<4x10xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x10xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x10xf32>, tensor<4x1x1xi32>, tensor<4x1xf32>) -> tensor<4x10xf32>
    return %1 : tensor<4x10xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
