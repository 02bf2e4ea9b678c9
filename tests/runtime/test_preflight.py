"""Programs that XLA would crash, hang or go wrong on: each is refused with the reason."""

import contextlib
import textwrap
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.children import Ended, Work
from dxir.errors import DxirError, RuntimeFailure, TargetError, VerificationError
from dxir.mlir import ir
from dxir.program import Program
from dxir.runtime import cpu, isolated, pjrt
from dxir.runtime.depth import Limits
from dxir.runtime.preflight import Risk, examine

T = "tensor<4xf32>"
CRASHED = Ended(-11, b"", b"")
LIMITS = Limits(fused=1000, chain=10_000, calls=100, nesting=50)


def load(text: str) -> Program:
    return dxir.load(textwrap.dedent(text))


def refusal(text: str, kind: type[DxirError] = TargetError) -> str:
    with pytest.raises(kind) as caught:
        dxir.compile(load(text))
    return str(caught.value)


def unary(op: str, more: str = "") -> str:
    return f"func.func @main(%x: {T}) -> {T} {{\n  %r = {op}\n  return %r : {T}\n}}\n{more}"


def test_a_call_of_a_function_without_a_body_names_it() -> None:
    told = refusal(
        unary(f"call @g(%x) : ({T}) -> {T}", f"func.func private @g({T}) -> {T}"), VerificationError
    )
    assert "@g" in told
    assert "no body" in told


def test_a_declaration_that_nothing_calls_does_no_harm() -> None:
    text = unary(f"stablehlo.negate %x : {T}", f"func.func private @g({T}) -> {T}")
    assert dxir.compile(load(text))([1, 2, 3, 4]).numpy().tolist() == [-1, -2, -3, -4]


def test_custom_calls_of_missing_functions_are_refused() -> None:
    op = f"stablehlo.custom_call @foo(%x) {{called_computations = [@gone]}} : ({T}) -> {T}"
    assert "@gone" in refusal(unary(op), VerificationError)


def test_recursion_names_the_cycle() -> None:
    direct = unary(f"call @main(%x) : ({T}) -> {T}")
    through = unary(f'stablehlo.composite "a.b" %x {{decomposition = @main}} : ({T}) -> {T}')
    for text in (direct, through):
        assert "@main -> @main" in refusal(text, VerificationError)


@pytest.mark.parametrize(
    "text",
    [
        "module {}",
        f"func.func @a(%x: {T}) {{ return }}\nfunc.func @b(%x: {T}) {{ return }}",
        f"func.func private @main(%x: {T}) {{ return }}\nfunc.func @b(%x: {T}) {{ return }}",
    ],
)
def test_a_program_without_main_is_refused(text: str) -> None:
    assert "main" in refusal(text, VerificationError)


@pytest.mark.parametrize(
    ("signature", "told"),
    [
        ("%x: !stablehlo.token", "tensors only"),
        (f"%x: tuple<{T}>", "tensors only"),
        ("%x: tensor<4x!quant.uniform<i8:f32, 0.5:1>>", "quant-to-math"),
        ("%x: memref<4xf32>", "no counterpart"),
        ("%x: f32", "no counterpart"),
    ],
)
def test_parameters_that_are_no_static_tensors_are_refused(signature: str, told: str) -> None:
    message = refusal(f"func.func @main({signature}) {{ return }}")
    assert "parameter 0" in message
    assert told in message


def test_results_that_are_no_static_tensors_are_refused() -> None:
    told = refusal("""
        func.func @main() -> !stablehlo.token {
          %t = stablehlo.create_token : !stablehlo.token
          return %t : !stablehlo.token
        }
    """)
    assert "result 0" in told


def test_a_value_of_unknown_size_is_named_with_its_place() -> None:
    told = refusal("""
        func.func @main(%x: tensor<4xf32>, %n: tensor<1xi32>) -> tensor<f32> {
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %b = stablehlo.dynamic_broadcast_in_dim %z, %n, dims = []
              : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
          %r = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0]
              : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
          return %r : tensor<f32>
        }
    """)
    assert "depends on argument 1" in told
    assert ":4:" in told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            '%r:2 = "stablehlo.infeed"(%t) : '
            "(!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)",
            "wait forever",
        ),
        (
            '%r = "stablehlo.outfeed"(%x, %t) : '
            "(tensor<4xf32>, !stablehlo.token) -> !stablehlo.token",
            "wait forever",
        ),
        (
            '%r = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, '
            "type = 2>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> "
            "!stablehlo.token",
            "no transfers",
        ),
        (
            "%r = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {api_version = 4 : i32, "
            "backend_config = {index = 0 : ui64}} : (tensor<4xf32>) -> tensor<4xf32>",
            "Python function",
        ),
        (
            '%r = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = '
            "dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>",
            "2 devices",
        ),
        (
            '%r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : '
            "tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>",
            "devices other than 0",
        ),
    ],
)
def test_ops_that_hang_or_silently_do_nothing_are_refused(body: str, told: str) -> None:
    message = refusal(f"""
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
          %t = stablehlo.create_token : !stablehlo.token
          {body}
          return %x : tensor<4xf32>
        }}
    """)
    assert told in message
    assert ":4:" in message


def test_collectives_on_one_device_run() -> None:
    executable = dxir.compile(
        load("""
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %r = "stablehlo.all_reduce"(%x) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
          return %r : tensor<4xf32>
        }
        """)
    )
    assert np.asarray(executable([1, 2, 3, 4])).tolist() == [1, 2, 3, 4]


def test_annotated_shardings_run_on_one_device_and_manual_ones_do_not() -> None:
    mesh = 'sdy.mesh @m = <["x"=4]>\n'
    annotated = f"""{mesh}
func.func @main(%x: {T} {{sdy.sharding = #sdy.sharding<@m, [{{"x"}}]>}}) -> {T} {{
  %r = stablehlo.add %x, %x : {T}
  %c = sdy.sharding_constraint %r <@m, [{{"x"}}]> : {T}
  return %c : {T}
}}"""
    one = dxir.compile(load(annotated), devices=1)
    assert np.asarray(one([1, 2, 3, 4])).tolist() == [2, 4, 6, 8]
    manual = f"""{mesh}
func.func @main(%x: {T}) -> {T} {{
  %r = sdy.manual_computation(%x) in_shardings=[<@m, [{{"x"}}]>] out_shardings=[<@m, [{{"x"}}]>]
      manual_axes={{"x"}} (%a: tensor<1xf32>) {{
    %s = stablehlo.add %a, %a : tensor<1xf32>
    sdy.return %s : tensor<1xf32>
  }} : ({T}) -> {T}
  return %r : {T}
}}"""
    assert "shards of a mesh" in refusal(manual)


@pytest.mark.parametrize("api", ["", " {api_version = 4 : i32, backend_config = {a = 1 : i64}}"])
def test_an_unknown_custom_call_is_named_with_its_place(api: str) -> None:
    told = refusal(unary(f"stablehlo.custom_call @nowhere(%x){api} : ({T}) -> {T}"))
    assert "@nowhere" in told
    assert ":2:" in told


def test_an_op_that_xla_lacks_is_named_with_its_place() -> None:
    told = refusal("""
        func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %q = stablehlo.uniform_quantize %x
              : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
          %r = stablehlo.uniform_dequantize %q
              : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xf32>
          return %r : tensor<4xf32>
        }
    """)
    assert "stablehlo.uniform_quantize" in told
    assert ":3:" in told
    assert "quant-to-math" in told


def chain(op: str, count: int) -> str:
    steps = "\n".join(f"%{i + 1} = {op.format(i)}" for i in range(count))
    return f"func.func @main(%0: {T}) -> {T} {{\n{steps}\nreturn %{count} : {T}\n}}"


def calls(count: int) -> str:
    links = [unary(f"call @f1(%x) : ({T}) -> {T}")]
    for i in range(1, count):
        links.append(
            f"func.func private @f{i}(%x: {T}) -> {T} {{\n"
            f"%r = call @f{i + 1}(%x) : ({T}) -> {T}\nreturn %r : {T}\n}}"
        )
    links.append(
        f"func.func private @f{count}(%x: {T}) -> {T} {{\n"
        f"%r = stablehlo.negate %x : {T}\nreturn %r : {T}\n}}"
    )
    return "\n".join(links)


def nested(count: int) -> str:
    body = f"%r = stablehlo.negate %x : {T}\nstablehlo.return %r : {T}"
    for i in range(count):
        end = "stablehlo.return" if i < count - 1 else "return"
        body = (
            f'%r = "stablehlo.if"(%p) ({{\n{body}\n}}, {{\nstablehlo.return %x : {T}\n}}) : '
            f"(tensor<i1>) -> {T}\n{end} %r : {T}"
        )
    return f"func.func @main(%x: {T}, %p: tensor<i1>) -> {T} {{\n{body}\n}}"


def risk(text: str, limits: Limits = LIMITS) -> str | None:
    found = examine(load(text).module, limits).risk
    return None if found is None else str(found)


def test_depth_is_measured_along_what_ops_need() -> None:
    assert risk(chain(f"stablehlo.sine %{{}} : {T}", 1000)) is None
    assert "1001 ops that XLA may fuse" in str(risk(chain(f"stablehlo.sine %{{}} : {T}", 1001)))
    wide = "\n".join(f"%r{i} = stablehlo.sine %x : {T}" for i in range(1100))
    assert risk(f"func.func @main(%x: {T}) {{\n{wide}\nreturn\n}}") is None


def test_ops_that_xla_does_not_fuse_end_a_chain() -> None:
    square = "tensor<4x4xf32>"
    op = (
        "stablehlo.dot_general %{}, %0, contracting_dims = [1] x [0] : "
        f"({square}, {square}) -> {square}"
    )
    text = chain(op, 1100).replace(T, square)
    assert risk(text) is None
    deep = Limits(fused=1000, chain=1050, calls=100, nesting=50)
    assert "1100 ops that need each other" in str(risk(text, deep))


def test_calls_and_regions_are_measured() -> None:
    assert risk(calls(100)) is None
    assert "101 functions deep" in str(risk(calls(101)))
    assert risk(nested(50)) is None
    assert "regions nested 51 deep" in str(risk(nested(51)))
    assert "takes 300" in refusal(nested(301))


def test_the_ops_behind_calls_count_in_chains() -> None:
    body = chain(f"stablehlo.sine %{{}} : {T}", 300).replace("@main", "private @f")
    twice = f"""
func.func @main(%x: {T}) -> {T} {{
  %a = call @f(%x) : ({T}) -> {T}
  %b = call @f(%a) : ({T}) -> {T}
  return %b : {T}
}}
{body}"""
    narrow = Limits(fused=500, chain=10_000, calls=100, nesting=50)
    assert "a chain of 600 ops" in str(risk(twice, narrow))


def test_programs_that_explode_when_inlined_are_refused() -> None:
    links = [
        f"func.func {'@main' if not i else f'private @f{i}'}(%x: {T}) -> {T} {{\n"
        f"%a = call @f{i + 1}(%x) : ({T}) -> {T}\n%b = call @f{i + 1}(%a) : ({T}) -> {T}\n"
        f"return %b : {T}\n}}"
        for i in range(30)
    ]
    links.append(f"func.func private @f30(%x: {T}) -> {T} {{\nreturn %x : {T}\n}}")
    assert "once its calls are inlined" in refusal("\n".join(links))


def test_a_risky_program_is_compiled_apart_and_runs(monkeypatch: Any) -> None:
    seen: list[str] = []
    real = isolated.compile_in_child

    def spy(artifact: bytes, risk: Risk, *more: Any) -> bytes:
        seen.append(str(risk))
        return real(artifact, risk, *more)

    monkeypatch.setattr(cpu, "compile_in_child", spy)
    executable = dxir.compile(load(calls(170)), cache=False)
    assert np.asarray(executable([1, 2, 3, 4])).tolist() == [-1, -2, -3, -4] or not seen
    assert seen == ["calls 170 functions deep"]


def test_a_crash_of_the_compiler_is_an_error(monkeypatch: Any) -> None:
    monkeypatch.setattr(isolated, "run_module", lambda *_, **__: CRASHED)
    with pytest.raises(RuntimeFailure, match=r"SIGSEGV .* calls 170 functions deep"):
        dxir.compile(load(calls(170)), cache=False)


@pytest.mark.filterwarnings("always:XLA's compiler ended:RuntimeWarning")
def test_after_a_crash_the_program_is_compiled_without_fusion(
    monkeypatch: Any, recwarn: pytest.WarningsRecorder
) -> None:
    real = isolated.run_module
    tries: list[str] = []

    def first_crashes(work: Work, module: str, *arguments: str, seconds: float) -> Ended:
        tries.append(module)
        return real(work, module, *arguments, seconds=seconds) if len(tries) > 1 else CRASHED

    monkeypatch.setattr(isolated, "run_module", first_crashes)
    deep = load(calls(170 if pjrt.version() >= (0, 11) else 70))
    executable = dxir.compile(deep, cache=False)
    assert np.abs(np.asarray(executable([1, 2, 3, 4]))).tolist() == [1, 2, 3, 4]
    assert "without fusion" in str(recwarn.pop(RuntimeWarning).message)


def test_the_childs_error_is_told_as_the_compilers(monkeypatch: Any) -> None:
    text = calls(170).replace(
        f"stablehlo.negate %x : {T}", f"stablehlo.custom_call @nowhere(%x) : ({T}) -> {T}"
    )
    assert "@nowhere" in refusal(text)


def test_names_of_parameters_come_from_locations() -> None:
    named = load(f'func.func @main(%x: {T} loc("weights"("model.py":3:1))) {{ return }}')
    context = named.module.context
    with context:
        module = ir.Module.parse(
            f'func.func @main(%x: {T} loc("weights"("model.py":3:1))) {{ return }}'
        )
    executable = dxir.compile(Program(module))
    assert executable.parameters[0].name == "weights"
    with pytest.raises(DxirError, match=r"parameter 0 \(weights\) takes f32\[4\]"):
        executable(np.zeros(3, np.float32))


@pytest.mark.parametrize("op", [lambda x: x + np.ones(2, x.dtype.numpy), ops.asin])
def test_constants_of_six_bit_floats_are_refused_since_xla_ends_the_process(op: Any) -> None:
    b = dxir.Builder()
    f = b.build(op(b.param(dxir.f6e2m3fn[2])))
    with pytest.raises(TargetError, match="constants of 6-bit floats") as error:
        dxir.compile(f)
    assert str(error.value.where).startswith(f"{__file__}:")


@pytest.mark.parametrize(
    ("dtype", "op", "words"),
    [
        (dxir.i4, ops.popcnt, "sign bit of narrow integers"),
        (dxir.i16, lambda x: ops.bitcast_convert(x, dtype=dxir.i1), "boolean in a byte"),
        (dxir.i2, ops.sort, "no 2-bit integers"),
        (dxir.ui2, lambda x: ops.concat([x, x], axis=0), "no tensors of 2-bit integers"),
        (dxir.f4e2m1fn, lambda x: ops.convert(x, dtype=dxir.i8), "6 the largest integer"),
    ],
)
def test_what_xla_computes_wrong_is_refused(dtype: dxir.DType, op: Any, words: str) -> None:
    b = dxir.Builder()
    f = b.build(op(b.param(dtype[2])))
    with pytest.raises(TargetError, match=words):
        dxir.compile(f)


def test_empty_tensors_of_six_bit_floats_are_refused() -> None:
    b = dxir.Builder()
    f = b.build(ops.optimization_barrier([b.param(dxir.f6e3m2fn[0, 5])])[0])
    with pytest.raises(TargetError, match="cannot hold"):
        dxir.compile(f)


@pytest.mark.parametrize("element", ["i4", "i8", "i32", "ui64"])
@pytest.mark.parametrize("op", ["divide", "remainder"])
def test_a_constant_divided_by_the_constant_zero_ends_in_an_error_or_runs(
    element: str, op: str
) -> None:
    program = dxir.load(f"""
    func.func @main() -> tensor<2x{element}> {{
      %a = stablehlo.constant dense<7> : tensor<2x{element}>
      %b = stablehlo.constant dense<[1, 0]> : tensor<2x{element}>
      %0 = stablehlo.{op} %a, %b : tensor<2x{element}>
      return %0 : tensor<2x{element}>
    }}""")
    with contextlib.suppress(RuntimeFailure):  # jaxlib 0.10 crashes, in a child
        dxir.compile(program)()
