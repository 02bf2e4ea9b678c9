"""Temporary stand-in until the runtime lands."""
from jaxlib import xla_client as xc, _jax
import numpy as np
from dxir.lowering import lower_module
from dxir.graph import Module
from dxir.mlir import stablehlo
_client = None
def compile(function):
    global _client
    if _client is None: _client = xc.make_cpu_client()
    m = lower_module(Module([function]), entry=function)
    art = _jax.mlir.serialize_portable_artifact(m, stablehlo.get_current_version(), False)
    dev=_client.devices()[0]
    exe=_client.compile_and_load(art, xc.DeviceList((dev,)), xc.CompileOptions())
    class Aval:
        def __init__(s, shape, dtype): s.shape, s.dtype, s.weak_type = tuple(shape), np.dtype(dtype), False
    sh=xc.GSPMDSharding(xc.DeviceList((dev,)), xc.HloSharding.replicate())
    outs=[Aval(t.static_shape,t.dtype.numpy) for t in function.result_types]
    kw={"_skip_checks": True} if "_skip_checks" in str(_jax.array_result_handler.__nb_signature__) else {}
    hs=[_jax.array_result_handler(a, sh, True, **kw) for a in outs]
    def run(*args):
        bufs=[xc.batched_device_put(Aval(x.shape,x.dtype),sh,[np.ascontiguousarray(x).reshape(np.shape(x))],[dev],enable_x64=True,host_buffer_semantics=xc.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL) for x in args]
        rs=exe.execute_sharded(bufs).consume_with_handlers(hs)
        def g(a):
            f = getattr(a, "_to_np_array_did_copy", None) or a._single_device_array_to_np_array_did_copy
            return f()[0]
        r=tuple(g(a) for a in rs)
        return r[0] if len(r)==1 else r
    return run
