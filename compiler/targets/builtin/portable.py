"""The target `portable`: no machine, but the form that every machine takes."""

from dxir.targets.acceptance import STABLEHLO, Accepts, Refusal
from dxir.targets.record import Target
from dxir.targets.registry import register_target

PORTABLE = register_target(
    Target(
        "portable",
        "no hardware: plain StableHLO, composites expanded, for a reader that is not known",
        needs="another target: this one is a form, not a machine",
        accepts=Accepts(
            dialects=STABLEHLO | {"sdy"},
            whole=False,
            other_calls=Refusal("a custom call means something to one target only", doubtful=True),
        ),
        program_passes=("chlo-pre-serialization-pipeline",),
    )
)
