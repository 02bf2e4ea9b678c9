module @jit_jax_loss attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<32x96xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x128xf32>, %arg5: tensor<128x32xf32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.12837911> : tensor<16x128xf32>
    %cst_0 = stablehlo.constant dense<-0.37612626> : tensor<16x128xf32>
    %cst_1 = stablehlo.constant dense<0.112835854> : tensor<16x128xf32>
    %cst_2 = stablehlo.constant dense<-0.0268538129> : tensor<16x128xf32>
    %cst_3 = stablehlo.constant dense<0.00518832775> : tensor<16x128xf32>
    %cst_4 = stablehlo.constant dense<-8.0101937E-4> : tensor<16x128xf32>
    %cst_5 = stablehlo.constant dense<7.85386146E-5> : tensor<16x128xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<16x128xf32>
    %cst_7 = stablehlo.constant dense<-88.7228394> : tensor<16x128xf32>
    %cst_8 = stablehlo.constant dense<0.564189494> : tensor<16x128xf32>
    %cst_9 = stablehlo.constant dense<-0.282076746> : tensor<16x128xf32>
    %cst_10 = stablehlo.constant dense<0.42184633> : tensor<16x128xf32>
    %cst_11 = stablehlo.constant dense<-1.01526523> : tensor<16x128xf32>
    %cst_12 = stablehlo.constant dense<2.92101908> : tensor<16x128xf32>
    %cst_13 = stablehlo.constant dense<-7.49551868> : tensor<16x128xf32>
    %cst_14 = stablehlo.constant dense<1.297720e+01> : tensor<16x128xf32>
    %cst_15 = stablehlo.constant dense<-10.477664> : tensor<16x128xf32>
    %cst_16 = stablehlo.constant dense<0.563825965> : tensor<16x128xf32>
    %cst_17 = stablehlo.constant dense<-0.274112701> : tensor<16x128xf32>
    %cst_18 = stablehlo.constant dense<3.404880e-01> : tensor<16x128xf32>
    %cst_19 = stablehlo.constant dense<-0.494451523> : tensor<16x128xf32>
    %cst_20 = stablehlo.constant dense<0.621000468> : tensor<16x128xf32>
    %cst_21 = stablehlo.constant dense<-0.582473278> : tensor<16x128xf32>
    %cst_22 = stablehlo.constant dense<0.368742466> : tensor<16x128xf32>
    %cst_23 = stablehlo.constant dense<-0.138703942> : tensor<16x128xf32>
    %cst_24 = stablehlo.constant dense<2.326820e-02> : tensor<16x128xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<16x128xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<16x128xf32>
    %cst_27 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %cst_28 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %cst_29 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_31 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %cst_32 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %2 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<16x32xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<16x32xf32>
    %7 = stablehlo.reduce(%6 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %9 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<16x1xf32>
    %11 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<16x1xf32>
    %13 = stablehlo.sqrt %12 : tensor<16x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %15 = stablehlo.divide %5, %14 : tensor<16x32xf32>
    %16 = stablehlo.dot_general %15, %arg2, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x96xf32>) -> tensor<16x96xf32>
    %17 = stablehlo.slice %16 [0:16, 0:32] : (tensor<16x96xf32>) -> tensor<16x32xf32>
    %18 = stablehlo.slice %16 [0:16, 32:64] : (tensor<16x96xf32>) -> tensor<16x32xf32>
    %19 = stablehlo.slice %16 [0:16, 64:96] : (tensor<16x96xf32>) -> tensor<16x32xf32>
    %20 = stablehlo.transpose %18, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %21 = stablehlo.dot_general %17, %20, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %22 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<16x16xf32>
    %24 = stablehlo.reduce(%23 init: %cst_30) applies stablehlo.maximum across dimensions = [1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
    %25 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %26 = stablehlo.maximum %25, %24 : tensor<16xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x16xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<16x16xf32>
    %30 = stablehlo.exponential %29 : tensor<16x16xf32>
    %31 = stablehlo.reduce(%30 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x16xf32>
    %34 = stablehlo.divide %30, %33 : tensor<16x16xf32>
    %35 = stablehlo.dot_general %34, %19, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %36 = stablehlo.dot_general %35, %arg3, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %37 = stablehlo.add %arg0, %36 : tensor<16x32xf32>
    %38 = stablehlo.reduce(%37 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %40 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %41 = stablehlo.divide %39, %40 : tensor<16x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %43 = stablehlo.subtract %37, %42 : tensor<16x32xf32>
    %44 = stablehlo.multiply %43, %43 : tensor<16x32xf32>
    %45 = stablehlo.reduce(%44 init: %cst_34) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %47 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %48 = stablehlo.divide %46, %47 : tensor<16x1xf32>
    %49 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %50 = stablehlo.add %48, %49 : tensor<16x1xf32>
    %51 = stablehlo.sqrt %50 : tensor<16x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %53 = stablehlo.divide %43, %52 : tensor<16x32xf32>
    %54 = stablehlo.dot_general %53, %arg4, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x128xf32>) -> tensor<16x128xf32>
    %55 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<16x128xf32>
    %57 = stablehlo.negate %54 : tensor<16x128xf32>
    %58 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %59 = stablehlo.multiply %57, %58 : tensor<16x128xf32>
    %60 = stablehlo.multiply %59, %59 : tensor<16x128xf32>
    %61 = stablehlo.negate %60 : tensor<16x128xf32>
    %62 = stablehlo.abs %59 : tensor<16x128xf32>
    %63 = stablehlo.divide %cst_26, %60 : tensor<16x128xf32>
    %64 = stablehlo.exponential %61 : tensor<16x128xf32>
    %65 = stablehlo.divide %cst_26, %62 : tensor<16x128xf32>
    %66 = stablehlo.multiply %64, %65 : tensor<16x128xf32>
    %67 = stablehlo.compare LT, %62, %cst_25 : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xi1>
    %68 = stablehlo.multiply %cst_24, %63 : tensor<16x128xf32>
    %69 = stablehlo.add %68, %cst_23 : tensor<16x128xf32>
    %70 = stablehlo.multiply %69, %63 : tensor<16x128xf32>
    %71 = stablehlo.add %70, %cst_22 : tensor<16x128xf32>
    %72 = stablehlo.multiply %71, %63 : tensor<16x128xf32>
    %73 = stablehlo.add %72, %cst_21 : tensor<16x128xf32>
    %74 = stablehlo.multiply %73, %63 : tensor<16x128xf32>
    %75 = stablehlo.add %74, %cst_20 : tensor<16x128xf32>
    %76 = stablehlo.multiply %75, %63 : tensor<16x128xf32>
    %77 = stablehlo.add %76, %cst_19 : tensor<16x128xf32>
    %78 = stablehlo.multiply %77, %63 : tensor<16x128xf32>
    %79 = stablehlo.add %78, %cst_18 : tensor<16x128xf32>
    %80 = stablehlo.multiply %79, %63 : tensor<16x128xf32>
    %81 = stablehlo.add %80, %cst_17 : tensor<16x128xf32>
    %82 = stablehlo.multiply %81, %63 : tensor<16x128xf32>
    %83 = stablehlo.add %82, %cst_16 : tensor<16x128xf32>
    %84 = stablehlo.multiply %cst_15, %63 : tensor<16x128xf32>
    %85 = stablehlo.add %84, %cst_14 : tensor<16x128xf32>
    %86 = stablehlo.multiply %85, %63 : tensor<16x128xf32>
    %87 = stablehlo.add %86, %cst_13 : tensor<16x128xf32>
    %88 = stablehlo.multiply %87, %63 : tensor<16x128xf32>
    %89 = stablehlo.add %88, %cst_12 : tensor<16x128xf32>
    %90 = stablehlo.multiply %89, %63 : tensor<16x128xf32>
    %91 = stablehlo.add %90, %cst_11 : tensor<16x128xf32>
    %92 = stablehlo.multiply %91, %63 : tensor<16x128xf32>
    %93 = stablehlo.add %92, %cst_10 : tensor<16x128xf32>
    %94 = stablehlo.multiply %93, %63 : tensor<16x128xf32>
    %95 = stablehlo.add %94, %cst_9 : tensor<16x128xf32>
    %96 = stablehlo.multiply %95, %63 : tensor<16x128xf32>
    %97 = stablehlo.add %96, %cst_8 : tensor<16x128xf32>
    %98 = stablehlo.select %67, %83, %97 : tensor<16x128xi1>, tensor<16x128xf32>
    %99 = stablehlo.multiply %66, %98 : tensor<16x128xf32>
    %100 = stablehlo.compare LT, %61, %cst_7 : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xi1>
    %101 = stablehlo.select %100, %cst_6, %99 : tensor<16x128xi1>, tensor<16x128xf32>
    %102 = stablehlo.compare LT, %59, %cst_6 : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xi1>
    %103 = stablehlo.subtract %cst_25, %101 : tensor<16x128xf32>
    %104 = stablehlo.select %102, %103, %101 : tensor<16x128xi1>, tensor<16x128xf32>
    %105 = stablehlo.multiply %59, %59 : tensor<16x128xf32>
    %106 = stablehlo.multiply %cst_5, %105 : tensor<16x128xf32>
    %107 = stablehlo.add %106, %cst_4 : tensor<16x128xf32>
    %108 = stablehlo.multiply %107, %105 : tensor<16x128xf32>
    %109 = stablehlo.add %108, %cst_3 : tensor<16x128xf32>
    %110 = stablehlo.multiply %109, %105 : tensor<16x128xf32>
    %111 = stablehlo.add %110, %cst_2 : tensor<16x128xf32>
    %112 = stablehlo.multiply %111, %105 : tensor<16x128xf32>
    %113 = stablehlo.add %112, %cst_1 : tensor<16x128xf32>
    %114 = stablehlo.multiply %113, %105 : tensor<16x128xf32>
    %115 = stablehlo.add %114, %cst_0 : tensor<16x128xf32>
    %116 = stablehlo.multiply %115, %105 : tensor<16x128xf32>
    %117 = stablehlo.add %116, %cst : tensor<16x128xf32>
    %118 = stablehlo.multiply %59, %117 : tensor<16x128xf32>
    %119 = stablehlo.subtract %cst_26, %118 : tensor<16x128xf32>
    %120 = stablehlo.abs %59 : tensor<16x128xf32>
    %121 = stablehlo.compare LT, %120, %cst_26 : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xi1>
    %122 = stablehlo.select %121, %119, %104 : tensor<16x128xi1>, tensor<16x128xf32>
    %123 = stablehlo.multiply %56, %122 : tensor<16x128xf32>
    %124 = stablehlo.dot_general %123, %arg5, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x32xf32>) -> tensor<16x32xf32>
    %125 = stablehlo.add %37, %124 : tensor<16x32xf32>
    %126 = stablehlo.subtract %125, %arg1 : tensor<16x32xf32>
    %127 = stablehlo.multiply %126, %126 : tensor<16x32xf32>
    %128 = stablehlo.reduce(%127 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %129 = stablehlo.divide %128, %cst_27 : tensor<f32>
    return %129 : tensor<f32>
  }
}
