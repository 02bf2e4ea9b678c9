"""Putting right what rules find in one module, in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dxir.diagnostics import collecting
from dxir.mlir import IrOperation, clone_module, ir
from dxir.reading import walk
from dxir.verify.checking import found_by
from dxir.verify.finding import Finding
from dxir.verify.fixed import Left
from dxir.verify.settings import Settings
from dxir.verify.splicing import top_of
from dxir.verify.subject import Subject
from dxir.verify.suppressions import Allowed

_TAG = "dxir.verify.at"
"""The attribute that has the numbers of what is to be put right at an op, while it is."""


class Repair:
    """A module, and what is to be put right in it.

    The findings are kept by numbers on their ops, since a repair may take away the op of another.
    Those in functions that are `withheld`, by name, stay as they are, for the reason that is given.
    """

    def __init__(
        self, subject: Subject, settings: Settings, withheld: Mapping[str, str] | None = None
    ) -> None:
        self.source = subject.source
        self._settings = settings
        self._rules = {rule.id: rule for rule in settings.rules()}
        self.module = clone_module(subject.module)
        own = Subject(self.module, self.source)
        allowed = Allowed(self.source, own)
        found = found_by(self._rules.values(), own)
        self._known = Counter(f.fingerprint for f in found)
        self.findings = [
            f for f in found if f.fixable and f.at is not None and not allowed.allows(f)
        ]
        """What is to be put right."""

        self._tops: list[str | None] = []
        for number, finding in enumerate(self.findings):
            assert finding.at is not None
            _tag(finding.at, number)
            self._tops.append(top_of(finding.at))
        self.findings = [replace(f, at=None) for f in self.findings]
        self._fixed: list[int] = []
        self._left = {
            number: withheld[top]
            for number, top in enumerate(self._tops)
            if withheld and top is not None and top in withheld
        }

    def run(self) -> tuple[list[Finding], list[Left]]:
        """Put right what can be; what was, and what was not. `module` is as it is left."""
        self._put_right([n for n in range(len(self.findings)) if n not in self._left])
        walk(self.module, _untag)
        return (
            [self._told(n) for n in sorted(self._fixed)],
            [Left(self._told(n), self._left[n]) for n in sorted(self._left)],
        )

    def _put_right(self, numbers: Sequence[int]) -> None:
        """Put several things right at once; where that does harm, in halves, to leave out less."""
        changed = clone_module(self.module)
        subject = Subject(changed, self.source)
        refused: dict[int, str] = {}
        for number in numbers:
            why = self._repair(subject, number)
            if why is not None:
                refused[number] = why
            subject = subject.renewed()
        done = [number for number in numbers if number not in refused]
        why = self._fault(changed, [*self._fixed, *done]) if done else None
        if why is None:
            self._left |= refused
            if done:
                self.module = changed
                self._fixed += done
        elif len(numbers) == 1:
            self._left[numbers[0]] = why
        else:
            half = len(numbers) // 2
            self._put_right(numbers[:half])
            self._put_right(numbers[half:])

    def _told(self, number: int) -> Finding:
        finding = self.findings[number]
        return replace(finding, severity=self._settings.severity_of(finding))

    def _repair(self, subject: Subject, number: int) -> str | None:
        """Put one thing right; why that is not done, if it is not."""
        finding = self.findings[number]
        op = _tagged(subject.module, number, self._tops[number])
        if op is None:
            return "another repair took away what it is about"
        try:
            if self._rules[finding.rule].repair(replace(finding, at=op), subject):
                return None
        except Exception as error:  # noqa: BLE001  a mistake in one rule is no end of the others
            return f"the rule ended in {type(error).__name__}: {error}"
        return "nothing can be done about it without harm"

    def _fault(self, module: ir.Module, fixed: Sequence[int]) -> str | None:
        """What is wrong with a module in which these were put right; None if nothing is."""
        copy = clone_module(module)
        walk(copy, _untag)
        with collecting(copy.context) as reported:
            try:
                valid = copy.operation.verify()
            except ir.MLIRError:
                valid = False
        if not valid:
            why = next((d.message for d in reported if d.severity == "error"), "")
            return f"the module would not be valid: {why}"
        gone = [self.findings[number] for number in fixed]
        return self.compared(Subject(copy, self.source), gone)

    def compared(self, subject: Subject, fixed: Iterable[Finding]) -> str | None:
        """Why what is found is not what was found before but for what was put right, if it is not.

        What the module allows is compared as well: it may stand elsewhere than it did.
        """
        now = found_by(self._rules.values(), subject)
        count = Counter(f.fingerprint for f in now)
        gone = Counter(f.fingerprint for f in fixed)
        for finding in now:
            if count[finding.fingerprint] > self._known[finding.fingerprint]:
                return f"then {finding.rule} would find: {finding.message}"
        for fingerprint, number in gone.items():
            if count[fingerprint] > self._known[fingerprint] - number:
                return "it would be found again"
        return None


def _tag(op: IrOperation, number: int) -> None:
    known = [int(each) for each in _numbers(op)]
    whole = ir.IntegerType.get_signless(64, op.context)
    op.attributes[_TAG] = ir.ArrayAttr.get(
        [ir.IntegerAttr.get(whole, each) for each in (*known, number)], op.context
    )


def _numbers(op: IrOperation) -> list[int]:
    if _TAG not in op.attributes:
        return []
    found = op.attributes[_TAG]
    assert isinstance(found, ir.ArrayAttr)
    return [ir.IntegerAttr(each).value for each in found]


def _tagged(module: ir.Module, number: int, top: str | None) -> IrOperation | None:
    """The op that has a number, which was in the op of that name at the top of the module."""
    found: list[IrOperation] = []

    def look(op: IrOperation) -> ir.WalkResult | None:
        if number in _numbers(op):
            found.append(op.operation)
            return ir.WalkResult.INTERRUPT
        return None

    table = ir.SymbolTable(module.operation)
    if top is not None and top in table:
        walk(table[top].operation, look)
    if not found:
        walk(module, look)
    return found[0] if found else None


def _untag(op: IrOperation) -> None:
    if _TAG in op.attributes:
        del op.attributes[_TAG]
