"""The codes of diagnostics: words for programs to go by, whatever the message says."""

from __future__ import annotations

import inspect
import re

from dxir import errors
from dxir.errors import DxirError

_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")

CODES: dict[str, str] = {
    "COMPOSITE_EXPANDED": "a composite that was to stay had to be expanded",
    "COMPOSITE_INLINED": "the composite is replaced by what it is made of",
    "COMPOSITE_KEPT": "a target takes the composite as it is",
    "COMPOSITE_TO_KERNEL": "the composite becomes a call of a kernel of the target",
    "COMPUTED_WHOLE": "every device computes all of what its operands' shardings split",
    "CONSTANTS_NOT_FOLDED": "folding a function would hold more elements than max_total",
    "CONSTANT_EXTERNALIZED": "a target has the constant in an archive",
    "CONSTANT_KEPT_INLINE": "a constant that was to leave the module cannot",
    "CONSTANT_WITHOUT_DATA": "a constant names data that the module does not hold",
    "F16_RANGE": "results of ops in f16 become infinite where those in f32 did not",
    "FORMAT_ASSUMED": "the format of an archive does not follow from its name",
    "COPIES_DIFFER": "devices that hold the same part of a result have different values of it",
    "GELU_APPROX_LEGALIZED": "an exact GELU became the tanh GELU; max_abs_error between the two",
    "INEXACT_FOLD": "a constant holds values that libraries round differently",
    "KEPT_IN_F32": "what a mixed-precision policy asks for narrow stays in f32",
    "KERNEL_APPROXIMATES": "a kernel with other numbers was called; max_abs_error, max_rel_error",
    "KERNEL_REFUSED": "a kernel does not take the composite that it is registered for",
    "NEAR_MISS": "a pattern almost matched; the message says what is in the way",
    "NEEDS_DEVICES": "an op that is no sharding still speaks to other devices",
    "NOTHING_TO_DO": "what was asked for has nothing to apply to here",
    "NOT_PORTABLE": "a valid module that other tools or targets do not accept",
    "PROGRAM_CRASHED": "the process of a contained program ended by itself",
    "PROGRAM_OVERDUE": "a contained program took longer than it may",
    "PROGRAM_TOO_LARGE": "a contained program took more memory than it may",
    "SHARDING_CHANGED": "a sharding that was given is not quite what a value has in the end",
    "SHARDING_DROPPED": "a sharding that was given had no effect on a dimension",
    "SHARDING_STRIPPED": "a target runs on one device what is for several",
    "SPLIT_MARKER_NEAR_MISS": "a comment looks like the marker between parts of a file",
    "STAYED_DYNAMIC": "an op has no known size although the arguments of its function do",
    "TAN_LEGALIZED": "sine / cosine became tan, or tan the quotient; max_rel_error between the two",
    "TARGET_DOUBTFUL": "a target takes it, but does not do quite what it says",
    "TARGET_HANDLES": "the pipeline of a target makes it something it takes",
    "TARGET_REFUSES": "a target does not take something in the program",
    "UNKNOWN_NAME": "an option names what the module does not have",
    "UNSUPPORTED_OP": "a target does not have an op, and no pass that was asked for replaces it",
}
"""What each code means in one line; `declare_code` adds to it."""

ERROR_KINDS: tuple[type[DxirError], ...] = tuple(
    kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, DxirError)
)
CODES.update((k.default_code, (inspect.getdoc(k) or "").partition("\n")[0]) for k in ERROR_KINDS)

OWN_CODES: dict[str, str] = dict(CODES)
"""Those of dxir itself."""


def declare_code(code: str, meaning: str) -> str:
    """Make a code known, for a pass or a target of another package to report; gives the code.

    DxirError for one that is not in upper case with underscores, or means something else already.
    """
    if _CODE.fullmatch(code) is None:
        raise DxirError(
            f"{code!r} cannot be the code of a diagnostic",
            hint="write words in upper case, with underscores between: ACME_NEAR_MISS",
        )
    if CODES.setdefault(code, meaning) != meaning:
        raise DxirError(f"the code {code} has a meaning already: {CODES[code]}")
    return code


def check_code(code: str) -> None:
    """Refuse a code that nobody declared, with a DxirError."""
    if code not in CODES:
        raise DxirError(
            f"no diagnostic has the code {code!r}",
            hint=f'declare_code("{code}", "what it means") of dxir.diagnostic_codes makes it known',
        )
