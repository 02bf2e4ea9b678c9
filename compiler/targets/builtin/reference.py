"""The target `reference`: each op's NumPy reference, the judge of the others."""

from dxir.targets.acceptance import STABLEHLO, Accepts, Refusal
from dxir.targets.later import later
from dxir.targets.policies import KEEP_ALL
from dxir.targets.record import Target
from dxir.targets.registry import register_target

_DEVICE = Refusal("it has no meaning without a device")

REFERENCE = register_target(
    Target(
        "reference",
        "each op's NumPy reference: slow, exact in meaning",
        later("dxir.runtime.reference", "compile_source"),
        accepts=Accepts(
            dialects=STABLEHLO | {"chlo", "sdy"},
            refused_ops={
                **{f"stablehlo.{name}": _DEVICE for name in ("infeed", "outfeed", "recv", "send")},
                "stablehlo.rng": Refusal(
                    "the state of its generator is hidden", "use stablehlo.rng_bit_generator"
                ),
            },
            calls=("shape_assertion",),
            other_calls=Refusal("NumPy has no implementation of it"),
        ),
        granularity=KEEP_ALL,
        examine=later("dxir.runtime.reference", "examine_module"),
    )
)
