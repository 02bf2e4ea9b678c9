"""The oracle: is an answer right, and if it is not, which op went wrong?

`compare` runs a program on several backends, one of which is the judge (`reference` where it is
among them and runs the program, otherwise the last that does), and holds each result against the
judge's:

    comparison = compare(program, arguments, ("xla-cpu", "interpreter", "reference"))
    print(comparison)                # a table, and where it goes wrong
    comparison.agrees                # every backend ran, and every result is accepted
    comparison.explained             # all that is not accepted comes of known faults of a backend
    comparison.exit_code             # for command lines, see below
    json.dumps(comparison.to_json())

`backends` names what `dxir.runtime.backends` runs, `options` (CompileOptions) goes to those that
compile, `entry` is the function to run, and `contained` says whether those that compile run in
processes of their own. A backend that refuses the program, or crashes on it, is a
row of its own with its error; only what keeps everything from being compared raises a DxirError:
an unknown backend, fewer than two of them, arguments that are not the program's.

What is accepted is the `Policy`'s to say (docs/oracle.md): integers to the bit, floats within what
the ops that a result is made of may differ by. A `Row` has `backend`, `result` (its number, None
for a backend without results), `verdict`, `elements`, `off` (elements that are not accepted),
`max_abs`, `max_ulp`, `examples`, `faults` (ids of known faults that explain what is off), `error`
and `note`. `verdict` is one of

    equal       the same values: NaN is NaN, and -0 is 0 unless the policy tells them apart
    close       within the tolerance
    subnormal   accepted, because the backend takes numbers that are not normal for zero
    unstable    accepted, because rounding decides the value: of an integer made from floats, say
    fault       off, and a known fault of the backend explains it
    off         off, and nothing explains it
    refused     the backend did not run the program; `error` says why

With `expected`, these results are the judge, which is called `stored`; one backend is enough then.

On a mismatch `Comparison.divergences` says for each backend where it begins: the first op whose
result is not what its operands make it, with its place in the user's files and the values
(`bisect=False` leaves this out, and known faults with it). `find_divergence` does that alone.

Exit codes, the first that applies: 4 a result is off and unexplained, 5 results are off by known
faults only, 6 a backend refused the program, 0 all agree. (1 and 2 are for errors, as everywhere.)
"""

from __future__ import annotations

from dxir.runtime.oracle.bisecting import find_divergence
from dxir.runtime.oracle.comparison import STORED, Comparison, Row, compare
from dxir.runtime.oracle.divergence import Divergence, Operand
from dxir.runtime.oracle.faults import FAULTS, Fault
from dxir.runtime.oracle.policy import Policy

__all__ = [
    "FAULTS",
    "STORED",
    "Comparison",
    "Divergence",
    "Fault",
    "Operand",
    "Policy",
    "Row",
    "compare",
    "find_divergence",
]
