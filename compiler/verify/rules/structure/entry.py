"""Modules without a function to start at."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.reading import is_public
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class Entry(Rule, id="structure-entry", severity="warning"):
    """There is no public function @main.

    XLA compiles the public function of that name, and refuses a module without one. Other public
    functions beside it do no harm.
    """

    remedy = "name the function to start at main, and make it public"
    faulty = """\
func.func @forward(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        known = subject.functions
        main = known.get("main")
        if main is not None and is_public(main):
            return
        public = [name for name, function in known.items() if is_public(function)]
        if main is not None:
            message = "the function @main is private"
        elif public:
            message = f"no function is named main; public: {_listed(public)}"
        elif known:
            message = f"no function is named main, and none is public: {_listed(list(known))}"
        else:
            message = "the module has no function"
        yield self.found(message, main or next(iter(known.values()), None), subject)


_SHOWN = 5


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"@{name}" for name in names[:_SHOWN]) + more
