"""What tests assert of modules; MLIR is imported when one of them is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dxir.errors import ConfigurationError
from dxir.wording import counted

if TYPE_CHECKING:
    from dxir.verify.finding import Finding
    from dxir.verify.settings import Settings


def assert_verifies(
    module: Any,
    *,
    version: str | Sequence[str] = (),
    rules: str | Sequence[str] = (),
    settings: Settings | None = None,
) -> None:
    """Assert that dxir-verify finds nothing in a module that would fail its run.

    `rules` are ids, or patterns of ids as `"numerics-*"`: no others run. Without, those run that
    the project's `pyproject.toml` or `dxir.toml` says, as on the command line; `settings` are used
    instead where given. `version` are StableHLO versions, or windows as `"12w"`, that the module
    must be writable in. Takes whatever `dxir.testing` calls a module, valid or not.
    """
    __tracebackhide__ = True
    from dataclasses import replace

    from dxir.verify import check_module
    from dxir.verify.configuration import find_configuration
    from dxir.verify.finding import is_at_least

    chosen = settings if settings is not None else find_configuration().settings
    if rules:
        chosen = replace(chosen, only=_several(rules))
    if version:
        options = {**chosen.options}
        options[_VERSION] = {**options.get(_VERSION, {}), "versions": _several(version)}
        only = (*chosen.only, _VERSION) if chosen.only else ()
        chosen = replace(chosen, options=options, only=only, select=(*chosen.select, _VERSION))
    report = check_module(module, chosen)
    bad = [f for f in report.findings if is_at_least(f.severity, chosen.fail_on)]
    if bad:
        raise AssertionError(_told(bad))


_VERSION = "portability-version"
_MOST_SHOWN = 20


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _told(findings: Sequence[Finding]) -> str:
    count = len(findings)
    lines = [f"{counted(count, 'finding')} of dxir-verify:"]
    for finding in findings[:_MOST_SHOWN]:
        lines.append(f"{finding.place}: {finding.severity}[{finding.rule}]: {finding.message}")
        if finding.origin is not None:
            lines.append(f"  from {finding.origin}")
        if finding.hint:
            lines.append(f"  hint: {finding.hint}")
    if count > _MOST_SHOWN:
        lines.append(f"and {count - _MOST_SHOWN} more")
    return "\n".join(lines)


def assert_same_program(actual: Any, expected: Any) -> None:
    """Assert that two modules compute the same expressions.

    Names, locations, and the order of functions and of independent ops play no part
    (`Program.fingerprint`). The error has the difference.
    """
    __tracebackhide__ = True
    from dxir.testing.modules import program_of

    a, b = program_of(actual), program_of(expected)
    if a.fingerprint() != b.fingerprint():
        from dxir.differences import difference

        raise AssertionError(f"the programs differ (- expected, + actual):\n{difference(b, a)}")


def assert_filecheck(
    module: Any,
    checks: str,
    *,
    pipeline: Any = None,
    prefixes: str | Sequence[str] = "CHECK",
    generic: bool = False,
    debug_info: bool = False,
) -> None:
    """Assert that the text of a module has what FileCheck directives say.

    `checks` are lines with directives, `CHECK: stablehlo.add`, `CHECK-NOT: ...`, with or without a
    comment sign before them. With a `pipeline` of passes, they are about what it makes of the
    module. A text is checked as dxir prints it, not as it was written. Needs the package
    `filecheck`.
    """
    __tracebackhide__ = True
    import tempfile
    from pathlib import Path

    from dxir.testing.modules import program_of

    try:
        from dxir.testing.filecheck import file_check
    except ModuleNotFoundError:
        raise ConfigurationError(
            "assert_filecheck needs the package filecheck, which is not installed",
            hint="pip install 'dxir[testing]'",
        ) from None
    program = program_of(module)
    if pipeline is not None:
        program = program.run_passes(pipeline)
    text = program.text(generic=generic, debug_info=debug_info)
    with tempfile.TemporaryDirectory(prefix="dxir-filecheck-") as folder:
        path = Path(folder, "checks")
        path.write_text(checks, encoding="utf-8")
        code, said = file_check(
            [str(path), f"--check-prefixes={','.join(_several(prefixes))}"], text
        )
    if code:
        said = said.replace(str(path), "checks").replace("<stdin>", "module")
        raise AssertionError(f"{said.strip()}\nthe module:\n{text}")


def assert_close_on(
    module: Any,
    *arguments: Any,
    backends: Sequence[str] = ("xla-cpu", "reference"),
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
) -> None:
    """Assert that backends give the same results, the last of them being the judge.

    Integers are compared to the bit, floats within what roundings may make of them, or within
    `rtol` and `atol` where one is given (docs/oracle.md). Without arguments, those of `main` are
    made from `seed`. The error says which op went wrong.
    """
    __tracebackhide__ = True
    from dxir.runtime.oracle import Policy, compare
    from dxir.runtime.random_arguments import arguments_for
    from dxir.testing.modules import program_of

    program = program_of(module)
    given = list(arguments) or arguments_for(program, seed)
    found = compare(program, given, _several(backends), policy=Policy(rtol=rtol, atol=atol))
    if not found.agrees:
        made = "" if arguments else f" on arguments made from seed {seed}"
        raise AssertionError(f"the backends differ{made}:\n{found}")
