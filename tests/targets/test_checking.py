"""What a target answers about a program, and that compiling it comes to the same."""

import math
import textwrap

import numpy as np
import pytest

import dxir
from dxir.errors import DxirError, TargetError
from dxir.mlir import ir
from dxir.program import Program
from dxir.targets import Report, Target, find_target, keep_only
from dxir.targets.acceptance import Accepts, Refusal
from dxir.targets.registry import forget_target, register_target

F = "tensor<4xf32>"
VALUES = [0.25, 1.0, 2.0, 3.0]


def load(text: str) -> Program:
    return dxir.load(textwrap.dedent(text), allow_unregistered=True, allow_elided=True)


def unary(op: str, more: str = "") -> str:
    return f"func.func @main(%x: {F}) -> {F} {{\n  %r = {op}\n  return %r : {F}\n}}\n{more}"


def check(text: str, target: str) -> Report:
    return find_target(target).check(load(text))


def told(report: Report, severity: str) -> list[tuple[str, str | None]]:
    return [(d.message, d.where) for d in report.diagnostics if d.severity == severity]


def test_the_report_says_what_is_refused_and_what_the_pipeline_does_about_the_rest() -> None:
    text = f"""
        func.func @main(%x: {F}, %d: tensor<4xf64>) -> ({F}, tensor<4xf64>) {{
          %a = stablehlo.composite "acme.square" %x {{decomposition = @square}} : ({F}) -> {F}
          %b = chlo.erf %a : {F} -> {F}
          %c = stablehlo.custom_call @foo(%b) : ({F}) -> {F}
          %e = stablehlo.add %d, %d : tensor<4xf64>
          return %c, %e : {F}, tensor<4xf64>
        }}
        func.func private @square(%x: {F}) -> {F} {{
          %a = stablehlo.multiply %x, %x : {F}
          return %a : {F}
        }}
    """
    program = load(text)
    before = str(program)
    report = find_target("iree-cpu").check(program)
    assert str(program) == before
    assert not report.can_run
    assert told(report, "error") == [
        ("iree-cpu cannot run stablehlo.custom_call: IREE 3.13 has no lowering of it", "<text>:5:8")
    ]
    assert told(report, "remark") == [
        ("composite acme.square: inlined", "<text>:3:8"),
        ("chlo.erf: handled by chlo-legalize-to-stablehlo", "<text>:4:8"),
    ]
    data = report.as_dict()
    assert (data["target"], data["can_run"]) == ("iree-cpu", False)
    assert data["compiles_here"] is (find_target("iree-cpu").compile is not None)
    codes = [d["code"] for d in data["diagnostics"]]
    assert codes == ["TARGET_REFUSES", "COMPOSITE_INLINED", "TARGET_HANDLES"]
    assert data["diagnostics"][0]["op"] == "stablehlo.custom_call"
    assert "iree-cpu will not take 1 thing in it" in str(report).splitlines()


REFUSED = {
    "infeed": (
        f'%t = stablehlo.create_token : !stablehlo.token\n%r:2 = "stablehlo.infeed"(%t) : '
        f"(!stablehlo.token) -> ({F}, !stablehlo.token)\nreturn %r#0 : {F}",
        "xla-cpu cannot run stablehlo.infeed: nobody is at the other end, and it would wait "
        "forever",
        "<text>:3:8",
    ),
    "a custom call that nobody has": (
        f"%r = stablehlo.custom_call @foo(%x) : ({F}) -> {F}\nreturn %r : {F}",
        "stablehlo.custom_call of @foo: no implementation is registered in this process",
        "<text>:2:6",
    ),
    "a Python callback": (
        f"%r = stablehlo.custom_call @xla_python_cpu_callback(%x) : ({F}) -> {F}\nreturn %r : {F}",
        "xla-cpu cannot run stablehlo.custom_call: @xla_python_cpu_callback needs a Python "
        "function, which compile() does not take",
        "<text>:2:6",
    ),
    "two devices": (
        '%r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : '
        f"tensor<1x2xi64>}} : ({F}) -> {F}\nreturn %r : {F}",
        "xla-cpu cannot run stablehlo.collective_permute: it works on devices other than 0, and "
        "the program runs on one device",
        "<text>:2:6",
    ),
    "another dialect": (
        f"%r = arith.addf %x, %x : {F}\nreturn %r : {F}",
        "xla-cpu cannot run arith.addf: it takes no ops of the dialect arith",
        "<text>:2:6",
    ),
    "a call of nothing": (
        f"%r = call @g(%x) : ({F}) -> {F}\nreturn %r : {F}\n}}\n"
        f"func.func private @g({F}) -> {F} {{",
        "function @g is called by func.call but has no body",
        "<text>:2:6",
    ),
    "recursion": (
        f"%r = call @main(%x) : ({F}) -> {F}\nreturn %r : {F}",
        "functions call themselves: @main -> @main",
        "<text>:1:1",
    ),
    "a constant without data": (
        f"%r = stablehlo.constant dense_resource<__elided__> : {F}\nreturn %r : {F}",
        "cannot compile the program: the constant of type tensor<4xf32> has no data, the resource "
        "'__elided__' is elided",
        "<text>:2:6",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_run_is_told_with_its_place_and_compiling_refuses_it(what: str) -> None:
    body, message, where = REFUSED[what]
    text = f"func.func @main(%x: {F}) -> {F} {{\n{body}\n}}".replace(" {\n}", "\n")
    report = check(text, "xla-cpu")
    assert (report.can_run, told(report, "error")) == (False, [(message, where)])
    with pytest.raises(DxirError):
        dxir.compile(load(text))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"%r = chlo.erf %x : {F} -> {F}", [math.erf(v) for v in VALUES]),
        (f'%r = stablehlo.composite "a.b" %x {{decomposition = @f}} : ({F}) -> {F}', VALUES),
        (f"%r = stablehlo.custom_call @Sharding(%x) : ({F}) -> {F}", VALUES),
        (
            f"""%n = stablehlo.constant dense<4> : tensor<1xi32>
            %d = stablehlo.dynamic_reshape %x, %n : ({F}, tensor<1xi32>) -> tensor<?xf32>
            %e = stablehlo.add %d, %d : tensor<?xf32>
            %r = stablehlo.dynamic_reshape %e, %n : (tensor<?xf32>, tensor<1xi32>) -> {F}""",
            [2 * v for v in VALUES],
        ),
    ],
)
def test_what_can_run_compiles_as_the_pipeline_leaves_it(body: str, expected: list[float]) -> None:
    private = f"func.func private @f(%x: {F}) -> {F} {{ return %x : {F} }}"
    program = load(f"func.func @main(%x: {F}) -> {F} {{ {body}\n return %r : {F} }}\n{private}")
    assert find_target("xla-cpu").check(program).can_run
    prepared = dxir.prepare(program, "xla-cpu").program
    assert np.allclose(dxir.compile(prepared)(VALUES).numpy(), expected, rtol=1e-6)


def test_sizes_that_only_arguments_tell_are_refused_and_those_of_constants_handled() -> None:
    text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    messages = [message for message, _ in told(check(text, "xla-cuda"), "error")]
    assert messages == ["xla-cuda takes no values of unknown size, such as tensor<?xf32>"]
    assert check(text, "iree-cpu").can_run
    assert check(text, "reference").can_run


def test_a_program_whose_only_public_function_has_another_name_is_taken_as_compile_does() -> None:
    text = unary(f"stablehlo.negate %x : {F}").replace("@main", "@f")
    assert check(text, "xla-cpu").can_run
    both = text + text.replace("@f", "@g")
    report = check(both, "xla-cpu")
    assert told(report, "error") == [("the program has no public function @main to compile", None)]
    assert check(both, "portable").can_run


def test_a_program_that_is_not_valid_is_refused_by_all() -> None:
    program = load(unary(f"stablehlo.negate %x : {F}"))
    block = program.module.body.operations[0].regions[0].blocks[0]
    op = block.operations[0].operation
    with program.context:
        ir.Operation.create(
            "stablehlo.add",
            results=[op.results[0].type],
            operands=[op.operands[0]],
            ip=ir.InsertionPoint(op),
            loc=op.location,
        )
    for name in ("portable", "xla-cpu", "reference"):
        report = find_target(name).check(program)
        assert [d.code for d in report.refusals] == ["VERIFICATION_ERROR"]


def test_what_stands_in_many_places_is_told_once_with_the_first_of_them() -> None:
    text = f"func.func @main(%x: {F}) -> {F} {{\n" + "\n".join(
        f"%{i + 1} = stablehlo.custom_call @foo(%{i}) : ({F}) -> {F}" for i in range(1, 9)
    )
    text = text.replace("%1)", "%x)") + f"\nreturn %9 : {F}\n}}"
    report = check(text, "xla-cpu")
    assert told(report, "error") == [
        (
            "stablehlo.custom_call of @foo: no implementation is registered in this process "
            "(8 times)",
            "<text>:2:6",
        )
    ]
    notes = [note.where for note in report.refusals[0].notes]
    assert notes == [None, "<text>:3:6", "<text>:4:6", "<text>:5:6"]


def test_the_decomposition_of_a_composite_that_stays_does_not_matter() -> None:
    accepts = Accepts(refused_ops={"stablehlo.sine": Refusal("there is no table")})
    keeping = register_target(
        Target("test-keeping", "keeps", accepts=accepts, granularity=keep_only("acme.*"))
    )
    expanding = register_target(Target("test-expanding", "does not", accepts=accepts))
    private = f"func.func private @f(%x: {F}) -> {F} {{\n%r = stablehlo.sine %x : {F}\n"
    op = f'stablehlo.composite "acme.sine" %x {{decomposition = @f}} : ({F}) -> {F}'
    program = load(unary(op, f"{private}return %r : {F} }}"))
    try:
        assert told(keeping.check(program), "remark") == [
            ("composite acme.sine: kept", "<text>:2:8")
        ]
        assert keeping.check(program).can_run
        assert told(expanding.check(program), "error") == [
            ("test-expanding cannot run stablehlo.sine: there is no table", "<text>:6:6")
        ]
    finally:
        forget_target("test-keeping")
        forget_target("test-expanding")


def test_a_target_that_takes_an_old_version_refuses_what_that_does_not_hold() -> None:
    target = register_target(Target("test-old", "is old", version="0.19.0"))
    op = f"stablehlo.tan %x : {F}"
    try:
        report = target.check(load(unary(op)))
        assert [d.code for d in report.refusals] == ["ARTIFACT_ERROR"]
        assert "stablehlo.tan" in report.refusals[0].message
        assert target.check(load(unary(f"stablehlo.sine %x : {F}"))).can_run
    finally:
        forget_target("test-old")


def test_a_pass_of_the_pipeline_that_fails_is_the_answer() -> None:
    text = f"""
        sdy.mesh @m = <["x"=2]>
        func.func @main(%x: {F}) -> {F} {{
          %r = sdy.manual_computation(%x) in_shardings=[<@m, [{{"x"}}]>]
              out_shardings=[<@m, [{{"x"}}]>] manual_axes={{"x"}} (%a: tensor<2xf32>) {{
            %y = stablehlo.add %a, %a : tensor<2xf32>
            sdy.return %y : tensor<2xf32>
          }} : ({F}) -> {F}
          return %r : {F}
        }}
    """
    report = check(text, "iree-vulkan")
    assert not report.can_run
    assert report.refusals[0].message.startswith("dxir-strip-sharding: 'sdy.manual_computation'")
    assert report.refusals[0].where == "<text>:4:8"
    broken = register_target(Target("test-broken", "is broken", program_passes=("nothing-here",)))
    try:
        wrong = broken.check(load(unary(f"stablehlo.negate %x : {F}")))
        assert "there is no pass called 'nothing-here'" in wrong.refusals[0].message
    finally:
        forget_target("test-broken")


def test_allowed_ops_and_element_types_are_the_only_ones() -> None:
    narrow = register_target(
        Target(
            "test-narrow",
            "takes little",
            accepts=Accepts(
                ops=frozenset(("stablehlo.add", "stablehlo.reduce")),
                element_types=frozenset(("f32",)),
                dynamic=False,
            ),
        )
    )
    try:
        assert narrow.check(load(unary(f"stablehlo.add %x, %x : {F}"))).can_run
        total = f"""func.func @main(%x: {F}, %i: tensor<f32>) -> tensor<f32> {{
          %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
            : ({F}, tensor<f32>) -> tensor<f32>
          return %0 : tensor<f32>
        }}"""
        assert narrow.check(load(total)).can_run
        report = narrow.check(load(unary(f"stablehlo.negate %x : {F}")))
        assert [m for m, _ in told(report, "error")] == [
            "test-narrow cannot run stablehlo.negate: it is not among the ops it takes"
        ]
        text = "func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> { return %x : tensor<2xi8> }"
        assert [m for m, _ in told(narrow.check(load(text)), "error")] == [
            "test-narrow takes no i8 elements: the element types it takes are f32"
        ]
    finally:
        forget_target("test-narrow")


def test_an_unregistered_target_is_refused_by_prepare() -> None:
    program = load(unary(f"stablehlo.negate %x : {F}"))
    with pytest.raises(TargetError, match="there is no target 'test-nowhere'"):
        dxir.prepare(program, Target("test-nowhere", "is nowhere"))


SELECT_AND_SCATTER = """
func.func @main(%x: tensor<4xf32>, %s: tensor<COUNTxf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {OPTIONS} : (tensor<4xf32>, tensor<COUNTxf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (2, "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>"),
        (4, "window_dimensions = array<i64: 1>"),
        (3, "window_dimensions = array<i64: 2>"),
        (
            3,
            "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, "
            "padding = dense<1> : tensor<1x2xi64>",
        ),
    ],
)
def test_iree_takes_windows_of_every_form(count: int, options: str) -> None:
    text = SELECT_AND_SCATTER.replace("COUNT", str(count)).replace("OPTIONS", options)
    report = check(text, "iree-cpu")
    assert report.can_run
    assert "handled by dxir-expand-select-and-scatter" in str(report)
    assert check(text, "xla-cpu").can_run


def test_targets_of_one_family_differ_where_they_do() -> None:
    c = "tensor<8xcomplex<f32>>"
    text = f"func.func @main(%x: {c}) -> {c} {{\n%r = stablehlo.fft %x, type = FFT, length = [8] : "
    text += f"({c}) -> {c}\nreturn %r : {c} }}"
    assert check(text, "iree-cpu").can_run
    assert not check(text, "iree-vulkan").can_run
