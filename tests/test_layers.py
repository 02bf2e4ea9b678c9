"""The layers of the package, checked on its import graph; and the sizes of its parts."""

import ast
import graphlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

PACKAGES = ("dxir", "dxir.dialects", "dxir.passes", "dxir.tools")

# From the bottom up: a module may import from its own layer and from lower ones, except for type
# checking only. A package stands for all that is in it unless a module of it is named on its own.
LAYERS = (
    (
        "dxir.errors",
        "dxir.diagnostic_codes",
        "dxir.children",
        "dxir.collecting",
        "dxir.call_graph",
        "dxir.table_files",
        "dxir.other_names",
        "dxir.whole_files",
        "dxir.wording",
    ),
    (
        "dxir.dimensions",
        "dxir.expressions",
        "dxir.bindings",
        "dxir.types",
        "dxir.type_mistakes",
        "dxir.sharding",
        "dxir.mesh_layout",
        "dxir.partition_spec",
        "dxir.sharding_rules",
        "dxir.process_grid",
        "dxir.collective_costs",
        "dxir.lockstep",
        "dxir.attributes",
        "dxir.locations",
        "dxir.naming",
        "dxir.graph",
        "dxir.equality",
        "dxir.operators",
        "dxir.printing",
        "dxir.symbols",
    ),
    (
        "dxir.op",
        "dxir.declaration",
        "dxir.declaration_checks",
        "dxir.misuse",
        "dxir.making",
        "dxir.ops",
        "dxir.examples",
        "dxir.checks",
        "dxir.arithmetic",
        "dxir.random_arrays",
        "dxir.builder",
        "dxir.quantization",
        "dxir.derivatives",
        "dxir.evaluation",
        "dxir.runtime.array",
        "dxir.tracing",
    ),
    ("dxir.transforms",),
    ("dxir.dialects", "dxir.collectives"),
    ("dxir.numpy", "dxir.control_flow", "dxir.tree"),
    ("dxir.random",),
    (
        "dxir.mlir",
        "dxir.quoting",
        "dxir.operations",
        "dxir.diagnostic_hints",
        "dxir.diagnostics",
    ),
    (
        "dxir.channels",
        "dxir.codecs",
        "dxir.sharding_codec",
        "dxir.expansions",
        "dxir.lowering",
        "dxir.emitter",
        "dxir.templates",
        "dxir.raising",
        "dxir.process_evaluation",
        "dxir.fingerprint",
        "dxir.part_digests",
        "dxir.defaults",
        "dxir.artifact",
        "dxir.compatibility",
        "dxir.features",
        "dxir.versions",
        "dxir.reading",
        "dxir.combiners",
        "dxir.approximations",
        "dxir.editing",
        "dxir.effects",
        "dxir.resources",
        "dxir.constants",
        "dxir.parameters",
        "dxir.archives",
        "dxir.weights",
        "dxir.tensor_files",
        "dxir.group_faults",
        "dxir.costs",
        "dxir.structure",
        "dxir.prescan",
        "dxir.chunks",
        "dxir.check_dialect",
        "dxir.names",
        "dxir.elements",
        "dxir.decoding",
        "dxir.composites",
        "dxir.marks",
        "dxir.json_checks",
        "dxir.json_types",
        "dxir.json_values",
        "dxir.json_reading",
        "dxir.json_graph",
    ),
    ("dxir.nn",),
    ("dxir.pattern", "dxir.pipeline", "dxir.targets"),
    ("dxir.passes",),
    ("dxir.program", "dxir.loading", "dxir.quarantine", "dxir.runtime", "dxir.differences"),
    (
        "dxir.compiling",
        "dxir.distributed",
        "dxir.functions",
        "dxir.runtime.partitioned",
        "dxir.runtime.backends",
        "dxir.runtime.checks",
        "dxir.runtime.oracle",
        "dxir.sharding_report",
        "dxir.verify",
        "dxir.view",
    ),
    ("dxir.reduction",),
    (
        "dxir.testing",
        "dxir.derivative_checks",
        "dxir.derivative_coverage",
        "dxir.signatures",
        "dxir.coverage",
        "dxir.generate",
    ),
    ("dxir.tools", "dxir.__main__"),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

# Who alone may import what; the tests and the examples are free to.
OWNERS = {
    "jaxlib.mlir": ("dxir.mlir",),
    "jaxlib._jax.mlir": ("dxir.mlir",),
    "jaxlib.version": ("dxir.mlir", "dxir.runtime.pjrt"),
    "jaxlib": ("dxir.runtime.pjrt",),
    "iree": ("dxir.runtime.iree",),
    "jax": (),
}

FILE_LIMIT = 400
FUNCTION_LIMIT = 50


@dataclass(frozen=True)
class Import:
    """One imported name: `eager` when importing the module runs it."""

    target: str
    line: int
    eager: bool


@dataclass(frozen=True)
class Source:
    """One module of the package."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path.name)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(self._imports(self.tree.body, eager=True))

    def _imports(self, body: list[ast.stmt], *, eager: bool) -> Iterator[Import]:
        for node in body:
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                yield from self._imports(node.orelse, eager=eager)
                continue
            for target in self._targets(node):
                yield Import(target, node.lineno, eager)
            lazy = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from self._imports(_statements(node), eager=eager and not lazy)

    def _targets(self, node: ast.stmt) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = self._base(node)
            yield from (f"{base}.{alias.name}" for alias in node.names)

    def _base(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name.split(".")
        drop = node.level - (self.path.stem == "__init__")
        return ".".join([*package[: len(package) - drop], *filter(None, [node.module])])


def _statements(node: ast.AST) -> list[ast.stmt]:
    """The statements right inside `node`, also those in its handlers and cases."""
    inner: list[ast.stmt] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            inner.append(child)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            inner.extend(_statements(child))
    return inner


def _sources() -> Iterator[Source]:
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        assert spec is not None, f"{package} is not installed"
        assert spec.origin is not None, f"{package} has no __init__.py"
        root = Path(spec.origin).parent
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join([package, *(part for part in parts if part != "__init__")])
            # Installed from a wheel, the folder of `dxir` holds the other packages too.
            if package != "dxir" or not name.startswith(PACKAGES[1:]):
                yield Source(name, path)


SOURCES = {source.name: source for source in _sources()}


def _module(target: str) -> str:
    """The dxir module that an imported name is or lives in."""
    while target not in SOURCES and "." in target:
        target = target.rpartition(".")[0]
    return target


def _rank(module: str) -> int | None:
    """The layer of a module; None for one that no layer names."""
    while module not in RANK and "." in module:
        module = module.rpartition(".")[0]
    return RANK.get(module)


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _refuse(violations: list[str]) -> None:
    if violations:
        pytest.fail("\n".join(violations), pytrace=False)


def test_every_module_has_a_layer() -> None:
    _refuse(
        [
            f"{name}: give it a layer in LAYERS"
            for name in SOURCES
            if name != "dxir" and _rank(name) is None
        ]
    )


def test_every_layer_names_modules_that_are_there() -> None:
    _refuse([f"there is no module {name}" for name in RANK if name not in SOURCES])


def test_the_page_on_architecture_has_every_module_that_a_layer_names() -> None:
    page = Path(__file__).parents[1] / "docs" / "architecture.md"
    text = page.read_text("utf-8")
    _refuse(
        [
            f"{name}: say in docs/architecture.md what it is"
            for name in RANK
            if name.count(".") == 1 and not re.search(rf"`{name[5:]}(/\*)?`", text)
        ]
    )


def test_no_module_imports_from_a_higher_layer() -> None:
    violations: list[str] = []
    for source in SOURCES.values():
        rank = _rank(source.name)
        for item in source.imports:
            above = _rank(_module(item.target))
            if rank is not None and above is not None and above > rank:
                violations.append(
                    f"{source.name}:{item.line}: imports {item.target}, which is in a higher layer"
                )
    _refuse(violations)


def test_only_the_tools_import_the_public_face() -> None:
    _refuse(
        [
            f"{source.name}:{item.line}: imports {item.target} from the public face; "
            "name the module it lives in"
            for source in SOURCES.values()
            for item in source.imports
            if _within(item.target, "dxir") and _module(item.target) == "dxir"
            if source.name != "dxir" and not _within(source.name, "dxir.tools")
        ]
    )


def test_importing_a_module_never_comes_back_to_it() -> None:
    graph = {
        source.name: {
            _module(item.target)
            for item in source.imports
            if item.eager and _within(item.target, "dxir") and _module(item.target) != source.name
        }
        for source in SOURCES.values()
    }
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail("import cycle: " + " -> ".join(reversed(error.args[1])), pytrace=False)


def test_bindings_and_runtimes_are_each_imported_in_one_place() -> None:
    violations: list[str] = []
    for source in SOURCES.values():
        for item in source.imports:
            # The longest prefix decides: jaxlib.mlir before jaxlib.
            owned = max((p for p in OWNERS if _within(item.target, p)), key=len, default=None)
            if owned and not any(_within(source.name, owner) for owner in OWNERS[owned]):
                where = " or ".join(OWNERS[owned]) or "the tests and benchmarks"
                violations.append(
                    f"{source.name}:{item.line}: imports {item.target}; only {where} may"
                )
    _refuse(violations)


def test_files_stay_within_the_line_limit() -> None:
    _refuse(
        [
            f"{source.name}: {lines} lines, the limit is {FILE_LIMIT}; split it by meaning"
            for source in SOURCES.values()
            if (lines := len(source.text.splitlines())) > FILE_LIMIT
        ]
    )


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its decorators and its docstring."""
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        assert docstring.end_lineno is not None
        lines -= docstring.end_lineno - docstring.lineno + 1
    return lines


def test_functions_stay_within_the_line_limit() -> None:
    _refuse(
        [
            f"{source.name}:{node.lineno}: {node.name} has {length} lines without its docstring, "
            f"the limit is {FUNCTION_LIMIT}"
            for source in SOURCES.values()
            for node in ast.walk(source.tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if (length := _length(node)) > FUNCTION_LIMIT
        ]
    )
