"""The modules on which recognition is proven, what is in them, and the table of how much is found.

A file of `corpus/PRODUCER/` is a module as a front end exported it, under a header:

    // Producer: flax.nnx 0.12.12 on jax 0.12.0.1
    // Module: Linear, silu, Linear
    // EXPECT @main: transformer_mlp=1
    // EXPECT @silu: silu=1
    // MAY @main: ...

EXPECT says how many matches of which pattern a person sees in a function, counting the outermost
only: an attention has its softmax in it. A function that is called is looked at by itself, also
where a match in its caller reaches into it. `@main|@_var` stands for the two together: either may
have the match. MAY is what is no mistake beyond that, where readers would differ. Nothing else may
be found, unless the header says `EXPECT: anything`. What is there and not found, so far, is in
`misses.toml` with the reason.

    python tests/recognition/corpus.py             what differs from what is expected
    python tests/recognition/corpus.py --write     write the table of docs/patterns.md anew
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import dxir
from dxir.mlir import IrOperation
from dxir.passes import patterns as patterns_package
from dxir.pattern.registry import all_rules
from dxir.reading import attribute, attribute_text, function_name, functions, walk

HERE = Path(__file__).resolve().parent
CORPUS, MISSES = HERE / "corpus", HERE / "misses.toml"
PAGE = HERE.parents[1] / "docs" / "patterns.md"
BEGIN = "<!-- written by tests/recognition/corpus.py -->"
END = "<!-- end of what is written -->"
NEAR_MISSES = "near_misses"
_HEADER = re.compile(r"^// (\w+)(?: @([\w|@]+))?: (.*)$")

Functions = frozenset[str]
Counts = dict[Functions, Counter[str]]
Found = Mapping[str, Counter[str]]


@dataclass(frozen=True)
class Miss:
    """What recognition does not find in a module, what it finds for it, and why."""

    missed: Counts
    instead: Counts
    why: str


@dataclass(frozen=True)
class Module:
    """A file of the corpus."""

    name: str
    text: str
    producer: str
    expect: Counts
    may: Counts
    anything: bool

    @property
    def folder(self) -> str:
        return self.name.partition("/")[0]

    @property
    def miss(self) -> Miss | None:
        """What is known to be missed in it."""
        return misses().get(self.name)

    def differences(self, found: Found) -> list[str]:
        """What recognition should have found, but for what is known to be missed; and no more."""
        if self.anything:
            return []
        expect = {group: Counter(counts) for group, counts in self.expect.items()}
        if self.miss is not None:
            for group, counts in self.miss.missed.items():
                expect[group].subtract(counts)
            for group, counts in self.miss.instead.items():
                expect.setdefault(group, Counter()).update(counts)
        for function in found:
            if not any(function in group for group in expect):
                expect[frozenset((function,))] = Counter()
        return [line for group, counts in expect.items() for line in self._in(group, counts, found)]

    def _in(self, group: Functions, expect: Counter[str], found: Found) -> Iterator[str]:
        there: Counter[str] = Counter()
        more: Counter[str] = Counter()
        for function in group:
            there.update(found.get(function, Counter()))
        for functions_, counts in self.may.items():
            if functions_ <= group:
                more.update(counts)
        for pattern in sorted({*there, *expect}):
            least = expect[pattern]
            if not least <= there[pattern] <= least + more[pattern]:
                yield f"{_at(group)}: {pattern}={there[pattern]}, expected {least}"


def _at(group: Functions) -> str:
    return "|".join(f"@{function}" for function in sorted(group))


def read(path: Path) -> Module:
    """The module of a file."""
    text = path.read_text(encoding="utf-8")
    producer, expect, may, anything = "", Counts(), Counts(), False
    for line in text.splitlines():
        header = _HEADER.match(line)
        if header is None:
            break
        word, group, rest = header.groups()
        if word == "Producer":
            producer = rest
        elif rest == "anything":
            anything = True
        elif group is not None:
            {"EXPECT": expect, "MAY": may}[word][_group(group)] = _counts(rest)
    return Module(f"{path.parent.name}/{path.stem}", text, producer, expect, may, anything)


def _group(text: str) -> Functions:
    return frozenset(name.removeprefix("@") for name in text.split("|"))


def _counts(text: str) -> Counter[str]:
    pairs = (word.split("=") for word in text.split())
    return Counter({pattern: int(count) for pattern, count in pairs})


@functools.cache
def modules() -> tuple[Module, ...]:
    """The whole corpus, in order."""
    return tuple(read(path) for path in sorted(CORPUS.glob("*/*.mlir")))


@functools.cache
def misses() -> dict[str, Miss]:
    """What is not found, by the name of the module."""
    return {
        name: Miss(_lines(entry["missed"]), _lines(entry.get("instead", ())), entry["why"])
        for name, entry in tomllib.loads(MISSES.read_text(encoding="utf-8")).items()
    }


def patterns() -> list[str]:
    """The names of the patterns there are."""
    return list(all_rules())


def _lines(lines: Iterable[str]) -> Counts:
    pairs = (line.split(": ") for line in lines)
    return {_group(group): _counts(counts) for group, counts in pairs}


def recognized(program: dxir.Program) -> dict[str, Counter[str]]:
    """How many matches of each pattern are marked in each function."""
    found: dict[str, Counter[str]] = {}
    for function in functions(program.module):
        marked: set[tuple[str, str]] = set()
        walk(function, lambda op, marked=marked: marked.update(_mark(op)))
        if marked:
            found[function_name(function)] = Counter(pattern for pattern, _ in marked)
    return found


def _mark(op: IrOperation) -> Iterator[tuple[str, str]]:
    pattern, number = attribute(op, "dxir.pattern"), attribute(op, "dxir.match_id")
    if pattern is not None and number is not None:
        yield attribute_text(pattern).strip('"'), attribute_text(number)


def table() -> str:
    """How much of what is there is found, by pattern and producer, in Markdown."""
    there: defaultdict[str, Counter[str]] = defaultdict(Counter)
    missed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for module in modules():
        for counts in module.expect.values():
            there[module.folder].update(counts)
        for counts in module.miss.missed.values() if module.miss else ():
            missed[module.folder].update(counts)
    folders = [folder for folder in sorted(there) if folder != NEAR_MISSES]

    def cell(pattern: str, columns: Iterable[str]) -> str:
        expected = sum(there[column][pattern] for column in columns)
        lacking = sum(missed[column][pattern] for column in columns)
        return f"{expected - lacking}/{expected}" if expected else ""

    rows = [["pattern", *folders, "all"], ["---", *["---:"] * (len(folders) + 1)]]
    for pattern in sorted({p for folder in folders for p in there[folder]}):
        cells = [cell(pattern, (folder,)) for folder in folders]
        rows.append([f"`{pattern}`", *cells, cell(pattern, folders)])
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def reference() -> str:
    """Each file of patterns: the names of what it finds, and what it says of itself."""
    parts: list[str] = []
    for entry in sorted(pkgutil.iter_modules(patterns_package.__path__), key=lambda m: m.name):
        module = importlib.import_module(f"{patterns_package.__name__}.{entry.name}")
        names = dict.fromkeys(rule.name for rule in getattr(module, "RULES", ()))
        if names:
            title = ", ".join(f"`{name}`" for name in names)
            parts.append(f"\n### {title}\n\n{inspect.getdoc(module)}\n")
    return "".join(parts)


def section() -> str:
    """The generated part of the page: how much is found, what is not, and what the patterns are."""
    judged = [module for module in modules() if not module.anything]
    exported = [module for module in judged if module.folder != NEAR_MISSES]
    producers = "; ".join(sorted({module.producer for module in exported}))
    parts = [
        f"Found, of what is there, in {len(exported)} modules ({producers}):\n\n",
        table(),
        f"\nNothing is found that is not there, in these and in {len(judged) - len(exported)} more"
        " that have nothing in them or come close.\n",
    ]
    if misses():
        parts.append("\nNot found:\n\n")
        parts += [f"- `{name}`: {miss.why}\n" for name, miss in sorted(misses().items())]
    return "".join([*parts, "\n## The patterns\n", reference()])


def page(text: str) -> str:
    """The page with its generated part made anew."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} lacks the line {BEGIN} or {END}")
    return f"{before}{BEGIN}\n{section()}{END}{after}"


def _report() -> int:
    wrong = 0
    for module in modules():
        program = dxir.load(module.text).run_passes("dxir-recognize")
        for line in module.differences(recognized(program)):
            print(f"{module.name}: {line}")
            wrong += 1
    print(f"{len(modules())} modules, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    if "--write" not in sys.argv[1:]:
        raise SystemExit(_report())
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote: docs/{PAGE.name}")
