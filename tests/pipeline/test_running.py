"""Passes, their options, and pipelines of ours and MLIR's passes."""

import contextlib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any, Literal

import pytest

import dxir
from dxir.errors import PassError
from dxir.mlir import IrOperation, ir
from dxir.pipeline.base import BROKEN, PASSES, Pass, all_passes, find_foreign, option
from dxir.pipeline.budget import Limits
from dxir.pipeline.native import native_passes
from dxir.pipeline.options import make_pass
from dxir.pipeline.rewriting import Make, Rules, apply_rules, defining
from dxir.pipeline.running import IrPrinting, Record, RunOptions, run_steps
from dxir.pipeline.steps import resolve, steps_text
from dxir.program import Program

RULES = Rules()


@RULES.rule("stablehlo.negate")
def negate_negate(op: IrOperation, make: Make) -> Any:
    inner = defining(op.operands[0], "stablehlo.negate")
    return None if inner is None else inner.operands[0]


@contextlib.contextmanager
def declared(*classes: type[Pass]) -> Iterator[None]:
    """Forget passes that a test declares."""
    try:
        yield
    finally:
        for cls in classes:
            PASSES.pop(cls.name, None)


class NegateTwice(Pass, name="test-negate-twice", anchor="func.func"):
    """Two negations are none."""

    def run(self, function: IrOperation) -> bool:
        return apply_rules(self, function, RULES)


class Options(Pass, name="test-options"):
    """Takes an option of each kind."""

    flag: bool = option("a flag", default=False)
    number: int = option("a number", default=3)
    ratio: float = option("a ratio", default=0.5)
    names: tuple[str, ...] = option("names", default=())
    mode: Literal["fast", "exact"] = option("a mode", default="exact")
    file: str | None = option("a file", default=None)

    def check(self) -> None:
        if self.number < 0:
            raise PassError("number must not be negative")

    def run(self, module: ir.Module) -> bool:
        self.remark(f"number is {self.number}", module.body.operations[0].operation)
        return False


class Breaks(Pass, name="test-breaks"):
    """Leaves a module that is not valid."""

    def run(self, module: ir.Module) -> bool:
        module.body.operations[0].regions[0].blocks[0].operations[-1].operation.erase()
        return True


class Raises(Pass, name="test-raises"):
    """Does not foresee what it is given."""

    def run(self, module: ir.Module) -> bool:
        raise KeyError("surprise")


TEXT = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @other() { return }
"""


@pytest.fixture
def program() -> Program:
    return dxir.load(TEXT)


def test_ours_and_native_passes_mix_in_order_and_nest_by_themselves(program: Program) -> None:
    after = program.run_passes("cse,test-negate-twice,chlo-legalize-to-stablehlo,func.func(cse)")
    counts = after.op_counts()
    assert "stablehlo.negate" not in counts
    assert not any(name.startswith("chlo.") for name in counts)
    assert program.op_counts()["stablehlo.negate"] == 2  # the program given is as it was


def test_a_pipeline_may_be_a_list_of_texts_and_passes(program: Program) -> None:
    after = program.run_passes(["cse", NegateTwice, Options(number=4), "symbol-dce"])
    assert "stablehlo.negate" not in after.op_counts()
    assert [d.message for d in after.diagnostics] == ["number is 4"]
    assert after.diagnostics[0].where == "<text>:2:1"


def test_an_empty_pipeline_changes_nothing(program: Program) -> None:
    assert str(program.run_passes("")) == str(program)
    assert str(program.run_passes("builtin.module()")) == str(program)


def test_steps_print_as_one_pipeline_that_resolves_to_them(program: Program) -> None:
    text = "cse,test-negate-twice,chlo-legalize-to-stablehlo,func.func(cse,canonicalize),symbol-dce"
    steps = resolve(text, program.context)
    printed = steps_text(steps)
    assert printed == (
        "builtin.module(cse,func.func(test-negate-twice,chlo-legalize-to-stablehlo,cse,"
        "canonicalize),symbol-dce)"
    )
    again = resolve(printed, program.context)
    assert [(s.text, s.path) for s in again] == [(s.text, s.path) for s in steps]


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("cse,canoncalize", "1:5", "no pass called 'canoncalize'", "canonicalize"),
        ("dxir-decompos", "1:1", "no pass called", "dxir-decompose"),
        ("builtin.modul(cse)", "1:1", "no op is called 'builtin.modul'", "builtin.module"),
        ("cse(canonicalize)", "1:1", "no op is called 'cse'", "builtin.module"),
        ("test-options{nmber=3}", "1:14", "no option 'nmber'", "number"),
        ("test-negate-twice{x}", "1:19", "no option 'x'", "takes no options"),
        ("test-options{number=x}", "1:14", "a whole number, not 'x'", None),
        ("test-options{number}", "1:14", "needs a value, a whole number", None),
        ("test-options{mode=slow}", "1:14", "one of fast, exact", None),
        ("test-options{flag=maybe}", "1:14", "true or false", None),
        ("test-options{number=1 number=2}", "1:23", "given twice", None),
        ("cse,test-options{number=-1}", "1:5", "must not be negative", None),
        ("canonicalize{max-iteration=3}", "1:1", "no such option max-iteration", "max-iterations"),
        ("func.func(stablehlo-refine-shapes)", "1:11", "runs on builtin.module", "outside"),
        ("func.func(sdy-propagation-pipeline)", "1:11", "runs on builtin.module", "outside"),
        ("func.func(dxir-decompose)", "1:11", "runs on builtin.module", "outside"),
    ],
)
def test_unknown_passes_options_and_anchors_are_named_with_their_place(
    program: Program, text: str, place: str, message: str, hint: str | None
) -> None:
    with pytest.raises(PassError) as caught:
        program.run_passes(text)
    assert caught.value.where == f"<pipeline>:{place}"
    assert message in caught.value.message
    assert hint is None or hint in (caught.value.hint or "")


def test_options_of_each_kind_are_read_and_printed() -> None:
    text = 'test-options{flag number=0x10 ratio=1e-3 names=a,"b c" mode=fast file="x y.bin"}'
    made = make_pass(Options, text[len("test-options{") : -1], text, 0)
    assert isinstance(made, Options)
    assert (made.flag, made.number, made.ratio, made.mode) == (True, 16, 1e-3, "fast")
    assert (made.names, made.file) == (("a", "b c"), "x y.bin")
    assert str(Options()) == "test-options"
    printed = str(made)
    again = make_pass(Options, printed[len("test-options{") : -1], printed, 0)
    assert str(again) == printed


def test_a_pass_that_leaves_an_invalid_module_is_named(program: Program) -> None:
    with pytest.raises(PassError, match="the pass test-breaks failed: block with no terminator"):
        program.run_passes("cse,test-breaks,symbol-dce")


def test_a_pass_that_fails_unforeseen_is_named_with_the_cause(program: Program) -> None:
    with pytest.raises(PassError, match="test-raises failed on what it did not foresee") as caught:
        program.run_passes("test-raises")
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_native_pass_that_fails_is_named_with_its_reason() -> None:
    program = dxir.load(
        "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }"
    )
    with pytest.raises(PassError, match=r"stablehlo-refine-arguments failed: .*refine"):
        program.run_passes("stablehlo-refine-arguments{types=tensor<3xi32>}")


def test_a_sharding_pass_on_a_module_without_main_is_refused_not_run() -> None:
    program = dxir.load("func.func @a() { return }\nfunc.func @b() { return }")
    with pytest.raises(PassError, match="function @main, which the pass starts from"):
        program.run_passes("sdy-propagation-pipeline")


def test_rewrites_beyond_the_budget_end_the_pass_and_name_its_patterns(program: Program) -> None:
    rules = Rules()

    @rules.rule("stablehlo.negate")
    def to_subtract(op: IrOperation, make: Make) -> Any:
        zero = make.op("stablehlo.subtract", op.results[0].type, op.operands[0], op.operands[0])
        return make.op("stablehlo.subtract", op.results[0].type, zero, op.operands[0])

    @rules.rule("stablehlo.subtract")
    def to_negate(op: IrOperation, make: Make) -> Any:
        return make.op("stablehlo.negate", op.results[0].type, op.operands[1])

    class PingPong(Pass, name="test-ping-pong", anchor="func.func"):
        """Undoes what it does."""

        def run(self, function: IrOperation) -> bool:
            return apply_rules(self, function, rules)

    with declared(PingPong), pytest.raises(PassError) as caught:
        program.run_passes(
            "test-ping-pong", options=RunOptions(limits=Limits(seconds=60, rewrites=500))
        )
    assert "more than 500 rewrites" in caught.value.message
    assert "to_negate" in caught.value.message
    assert "to_subtract" in caught.value.message
    assert "undo each other" in (caught.value.hint or "")


def test_growth_beyond_the_budget_is_refused(program: Program) -> None:
    with pytest.raises(PassError, match="more than 2 times as many"):
        program.run_passes(
            "chlo-legalize-to-stablehlo", options=RunOptions(limits=Limits(growth=2.0))
        )


def test_a_rule_that_changes_a_type_is_refused(program: Program) -> None:
    rules = Rules()

    @rules.rule("stablehlo.negate")
    def wrong(op: IrOperation, make: Make) -> Any:
        return make.op("stablehlo.constant", ir.Type.parse("tensor<i1>"),
                       value=ir.Attribute.parse("dense<true> : tensor<i1>"))  # fmt: skip

    class Wrong(Pass, name="test-wrong", anchor="func.func"):
        """Replaces a value by one of another type."""

        def run(self, function: IrOperation) -> bool:
            return apply_rules(self, function, rules)

    with (
        declared(Wrong),
        pytest.raises(PassError, match="the rule wrong replaces"),
    ):
        program.run_passes("test-wrong")


def test_records_say_time_statistics_and_ops(program: Program) -> None:
    steps = resolve("test-negate-twice,chlo-legalize-to-stablehlo", program.context)
    records = run_steps(program.module, steps, RunOptions(statistics=True))
    assert records[0].statistics == {"negate_negate": 1}
    assert (records[0].ops_before, records[0].ops_after) == (7, 5)
    assert records[0].changed is True
    assert all(r.seconds > 0 for r in records)


def test_mlir_prints_the_module_around_named_passes(
    program: Program, capfd: pytest.CaptureFixture[str]
) -> None:
    program.run_passes(
        "cse,test-negate-twice,symbol-dce",
        options=RunOptions(
            printing=IrPrinting(before=frozenset({"symbol-dce"}), after=frozenset({"cse"}))
        ),
    )
    lines = capfd.readouterr().err.splitlines()
    heads = [line.split("IR Dump ")[1] for line in lines if line.startswith("// -----//")]
    assert [head.partition(" ")[0] for head in heads] == ["After", "Before"]
    assert "cse" in heads[0]
    assert "symbol-dce" in heads[1]


def test_mlir_prints_a_tree_of_files_with_one_number_a_pass(
    program: Program, tmp_path: Path
) -> None:
    program.run_passes(
        "cse,test-options,symbol-dce",
        options=RunOptions(printing=IrPrinting(after_all=True, tree_dir=str(tmp_path))),
    )
    names = sorted(p.name for p in tmp_path.rglob("*.mlir"))
    assert [n.partition("_")[0] for n in names] == ["0", "1", "2"]


def test_the_native_passes_are_those_that_mlir_takes(program: Program) -> None:
    found = native_passes()
    assert {"cse", "canonicalize", "symbol-dce", "chlo-legalize-to-stablehlo"} <= found.keys()
    assert found["chlo-legalize-to-stablehlo"].anchor == "func.func"
    assert found["cse"].anchor == "any"
    assert found["sdy-propagation-pipeline"].is_pipeline
    assert "max-iterations=10" in found["canonicalize"].options


@pytest.mark.parametrize("name", sorted(native_passes()))
def test_every_native_pass_resolves_alone(name: str, program: Program) -> None:
    (step,) = resolve(name, program.context)
    assert step.name == name


def test_passes_are_declared_once_with_a_name_and_a_docstring() -> None:
    with pytest.raises(PassError, match="cannot name a pass"):

        class Bad(Pass, name="Bad_Name"):
            """Has a name no pipeline could hold."""

    with pytest.raises(PassError, match="needs a docstring"):

        class NoDoc(Pass, name="test-no-doc"):
            pass

    with pytest.raises(PassError, match="two passes of the name"):

        class Again(Pass, name="test-options"):
            """Takes the name of another."""


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"names": "nn.softmax"}, "names of test-options is a tuple"),
        ({"flag": "no"}, "flag of test-options is True or False"),
        ({"number": "10"}, "number of test-options is a whole number"),
        ({"number": True}, "number of test-options is a whole number"),
        ({"ratio": "1"}, "ratio of test-options is a number"),
        ({"mode": "slow"}, "mode of test-options is one of fast, exact"),
        ({"file": 3}, "file of test-options is text"),
    ],
)
def test_options_given_in_python_are_checked(values: dict[str, Any], message: str) -> None:
    with pytest.raises(PassError, match=message):
        Options(**values)


def test_options_given_in_python_take_their_normal_form() -> None:
    names: Any = ["a", "b"]
    made = Options(names=names, ratio=1, file=None)
    assert (made.names, made.ratio) == (("a", "b"), 1.0)


@pytest.mark.parametrize("pipeline", [1, None, 2.0, object()])
def test_what_is_no_pipeline_is_refused(program: Program, pipeline: Any) -> None:
    with pytest.raises(PassError, match="a pipeline is text or passes, not"):
        program.run_passes(pipeline)


def test_what_are_no_options_of_a_run_are_refused(program: Program) -> None:
    options: Any = {}
    with pytest.raises(PassError, match="the options of a run are RunOptions, not dict"):
        program.run_passes("cse", options=options)


def test_decompose_refuses_one_text_for_names(program: Program) -> None:
    with pytest.raises(PassError, match="keep is a collection of names"):
        program.decompose(keep="nn.softmax")


def test_warnings_of_passes_stay_with_the_program_and_what_comes_of_it(program: Program) -> None:
    first = program.run_passes("test-options{number=7}")
    then = first.run_passes("cse").decompose().legalize_chlo().verify()
    assert [d.message for d in then.diagnostics] == ["number is 7"]


def test_each_step_is_recorded_for_who_asks(program: Program) -> None:
    records: list[Record] = []
    program.run_passes(
        "cse,dxir-decompose", options=RunOptions(statistics=True, on_record=records.append)
    )
    assert [r.step.name for r in records] == ["cse", "dxir-decompose"]
    assert all(r.ops_before for r in records)


def test_printing_around_a_pass_there_is_none_of_is_refused(program: Program) -> None:
    printing = IrPrinting(after=frozenset({"canoncalize"}))
    with pytest.raises(PassError, match="no pass called 'canoncalize' to print") as caught:
        program.run_passes("cse", options=RunOptions(printing=printing))
    assert "canonicalize" in (caught.value.hint or "")


def test_printing_around_all_passes_changes_nothing_else(
    program: Program, capfd: pytest.CaptureFixture[str]
) -> None:
    options = RunOptions(
        printing=IrPrinting(before_all=True, after_all=True), limits=Limits(growth=2.0)
    )
    with pytest.raises(PassError, match=r"chlo-legalize-to-stablehlo made .* more than 2 times"):
        program.run_passes("cse,chlo-legalize-to-stablehlo,symbol-dce", options=options)
    assert capfd.readouterr().err.count("IR Dump") == 6


def test_a_failure_in_a_tree_of_files_names_the_passes_it_may_be_of(tmp_path: Path) -> None:
    program = dxir.load("func.func @f(%a: tensor<?xf32>) { return }")
    options = RunOptions(printing=IrPrinting(after_all=True, tree_dir=str(tmp_path)))
    with pytest.raises(PassError, match="cse or stablehlo-refine-arguments failed"):
        program.run_passes("cse,stablehlo-refine-arguments{types=tensor<3xi32>}", options=options)


class Forgets(Pass, name="test-forgets"):
    """Forgets to say whether it changed anything."""

    def run(self, module: ir.Module) -> bool:
        return None  # type: ignore[return-value]  # the mistake


class Runless(Pass, name="test-runless"):
    """Has no run."""


def test_a_pass_must_say_whether_it_changed_anything(program: Program) -> None:
    with pytest.raises(PassError, match="test-forgets answers None where its run must say True"):
        program.run_passes("test-forgets")
    with pytest.raises(PassError, match="test-runless has no method run"):
        program.run_passes("test-runless")


def test_what_a_pass_did_not_foresee_is_told_with_its_place(program: Program) -> None:
    with pytest.raises(PassError, match=r"surprise.* \(at .*test_running.py:\d+\)"):
        program.run_passes("test-raises")


def test_a_pass_that_took_too_long_is_refused_though_it_ended(program: Program) -> None:
    with pytest.raises(PassError, match=r"cse ran for .* s, more than 1e-09 s"):
        program.run_passes("cse", options=RunOptions(limits=Limits(seconds=1e-9)))


def test_a_pass_cannot_take_the_name_of_a_native_one(program: Program) -> None:
    class Taken(Pass, name="cse"):
        """Takes MLIR's name."""

        def run(self, module: ir.Module) -> bool:
            return False

    Taken.__module__ = "acme.passes"
    with declared(Taken), pytest.raises(PassError, match=r"acme.passes declares a pass cse, which"):
        program.run_passes("symbol-dce,cse")


def test_what_llvm_says_of_an_option_is_in_the_message(
    program: Program, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PassError, match="'x' value invalid"):
        program.run_passes("canonicalize{max-iterations=x}")
    assert capfd.readouterr().err == ""


def test_a_broken_entry_point_breaks_no_other_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("acme-broken", "acme.no.such.module", "dxir.passes")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: EntryPoints([entry]))
    assert "dxir-decompose" in all_passes()
    assert "No module named 'acme'" in BROKEN.pop("acme-broken").message
    with pytest.raises(PassError, match=r"the pass acme-broken of acme\.no.such.module cannot be"):
        find_foreign("acme-broken")


def test_what_a_rule_makes_for_nothing_is_gone_and_the_pass_ends() -> None:
    rules = Rules()

    @rules.rule("stablehlo.negate")
    def of_no_use(op: IrOperation, make: Make) -> Any:
        made = make.op("stablehlo.abs", op.results[0].type, op.operands[0])
        make.op("stablehlo.abs", op.results[0].type, made)
        return op.operands[0]  # not annotated as the op is, so that the op stays

    class OfNoUse(Pass, name="test-of-no-use", anchor="func.func"):
        """Makes ops, and gives a value that cannot replace the op."""

        def run(self, function: IrOperation) -> bool:
            return apply_rules(self, function, rules)

    program = dxir.load("""
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %a {acme.note = "kept"} : tensor<4xf32>
      return %0 : tensor<4xf32>
    }""")
    with declared(OfNoUse):
        assert str(program.run_passes("test-of-no-use")) == str(program)
