"""What the targets that XLA compiles for have in common."""

from dxir.targets.acceptance import QUANTIZED, STABLEHLO, Accepts, Refusal

ACCEPTS = Accepts(
    dialects=STABLEHLO | {"sdy"},
    refused_types={
        QUANTIZED: Refusal(
            "XLA has no quantized types", "run stablehlo-legalize-quant-to-math on it before"
        )
    },
    dynamic=False,
    calls=(
        *("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.*"),
        *("annotate_device_placement", "LayoutConstraint", "MoveToDevice", "MoveToHost"),
    ),
    other_calls=Refusal("only its own machine knows whether it is registered", doubtful=True),
)
"""XLA takes CHLO only once it is StableHLO, and sizes that constants tell only once they do."""

PROGRAM_PASSES = ("chlo-pre-serialization-pipeline", "dxir-specialize{partial=true}")
