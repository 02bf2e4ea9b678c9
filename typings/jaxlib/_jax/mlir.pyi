from jaxlib.mlir import ir

def serialize_portable_artifact(
    mlir_module: ir.Module | bytes, target: str, use_mixed_serialization: bool = False
) -> bytes: ...
def deserialize_portable_artifact(
    mlir_module: bytes, context: ir.Context | None = None
) -> ir.Module: ...
def hlo_to_stablehlo(computation: bytes) -> bytes: ...
def refine_polymorphic_shapes(
    mlir_module: bytes,
    enable_shape_assertions: bool = True,
    validate_static_shapes: bool = True,
    enable_shardy: bool = False,
) -> bytes: ...
