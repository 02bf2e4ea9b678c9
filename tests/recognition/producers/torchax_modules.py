"""Modules of PyTorch, taken to JAX by torchax."""

from __future__ import annotations

from collections.abc import Callable

import jax
import torch
from exporting import Case, Counts, Tree, at, bf16, boolean, f32, i32, main, write
from loading_torchax import load
from torch import nn
from torch.nn import functional

torchax = load()
BATCH, TIME, WIDTH = 2, 5, 8
X, HALF, IMAGE = f32(BATCH, TIME, WIDTH), bf16(BATCH, TIME, WIDTH), f32(BATCH, WIDTH, 6, 6)
Q = f32(BATCH, 2, TIME, 4)
Expected = dict[str, Counts]


def layer(
    name: str,
    says: str,
    module: nn.Module,
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
) -> Case:
    """A module with its parameters as arguments, for inference."""
    weights, call = torchax.extract_jax(module.eval())
    return Case(
        name, says, lambda w, *xs: call(w, xs), (weights, *arguments), expect or {}, may or {}
    )


def function(
    name: str,
    says: str,
    program: Callable[..., torch.Tensor],
    arguments: tuple[Tree, ...],
    expect: Expected | None = None,
    may: Expected | None = None,
) -> Case:
    """A function of tensors."""
    return Case(name, says, torchax.interop.jax_view(program), arguments, expect or {}, may or {})


class RmsNorm(nn.Module):
    """Llama's."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5)
        return self.weight * wide.to(x.dtype)


class Gated(nn.Module):
    """Llama's gated layer."""

    def __init__(self) -> None:
        super().__init__()
        self.gate, self.up = (nn.Linear(WIDTH, 16, bias=False) for _ in range(2))
        self.down = nn.Linear(16, WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(functional.silu(self.gate(x)) * self.up(x))


class Attention(nn.Module):
    """Causal attention of two heads, its three projections in one."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = (
            a.view(BATCH, TIME, 2, 4).transpose(1, 2) for a in self.qkv(x).split(WIDTH, dim=2)
        )
        y = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(x.shape))


class Block(nn.Module):
    """A layer of GPT."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2, self.attend = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), Attention()
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 32), nn.GELU(approximate="tanh"), nn.Linear(32, WIDTH)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def attention_by_hand(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor
) -> torch.Tensor:
    scores = query @ key.transpose(-2, -1) / 4**0.5
    scores = scores.masked_fill(mask == 0, float("-inf"))
    return functional.softmax(scores, dim=-1) @ value


def rope(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin


def activation(name: str, pattern: str, inner: str = "", also: Expected | None = None) -> Case:
    """A function of torch.nn.functional of one tensor."""
    expect = (at(inner, **{pattern: 1}) if inner else main(**{pattern: 1})) | (also or {})
    return function(name, f"functional.{name}", getattr(functional, name), (X,), expect)


RELU, SILU, VAR = at("relu", relu=1), at("silu", silu=1), at("_var", moments=1)
ATTENTION = main(attention=1)
FUNCTIONS = (
    activation("relu", "relu", "relu"),
    activation("relu6", "relu6"),
    activation("leaky_relu", "leaky_relu", "main|leaky_relu"),
    activation("elu", "elu"),
    activation("silu", "silu", "silu"),
    activation("softplus", "softplus"),
    activation("softsign", "softsign"),
    activation("hardsigmoid", "hard_sigmoid"),
    activation("hardswish", "hard_swish"),
    activation("mish", "mish"),
    activation("gelu", "gelu"),
    function("gelu_tanh", "functional.gelu(approximate='tanh')",
             lambda x: functional.gelu(x, approximate="tanh"), (X,), main(gelu=1)),
    function("softmax", "functional.softmax", lambda x: functional.softmax(x, -1), (X,),
             main(softmax=1)),
    function("softmax_bf16", "functional.softmax in bfloat16",
             lambda x: functional.softmax(x, -1), (HALF,), main(softmax=1)),
    function("log_softmax", "functional.log_softmax", lambda x: functional.log_softmax(x, -1),
             (X,), at("log_softmax", log_softmax=1)),
    function("logsumexp", "torch.logsumexp", lambda x: torch.logsumexp(x, -1), (X,),
             main(logsumexp=1)),
    function("variance", "torch.var_mean, unbiased: divided by 7",
             lambda x: torch.var_mean(x, dim=-1), (X,), at("main|_var", moments=1)),
    function("cross_entropy", "functional.cross_entropy, the mean of labels' losses",
             functional.cross_entropy, (f32(4, 10), i32(4)),
             main(cross_entropy=1) | at("log_softmax", log_softmax=1)),
    function("attention", "functional.scaled_dot_product_attention",
             functional.scaled_dot_product_attention, (Q, Q, Q), ATTENTION),
    function("attention_causal", "the same, causal",
             lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True),
             (Q, Q, Q), ATTENTION),
    function("attention_mask", "the same, with a boolean mask",
             functional.scaled_dot_product_attention, (Q, Q, Q, boolean(TIME, TIME)), ATTENTION),
    function("attention_gqa", "the same, with grouped queries",
             lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, enable_gqa=True),
             (f32(BATCH, 4, TIME, 4), Q, Q), ATTENTION),
    function("attention_by_hand", "matmul, masked_fill, softmax, matmul", attention_by_hand,
             (Q, Q, Q, i32(TIME, TIME)), ATTENTION),
    function("rope", "rotated halves", rope, (Q, f32(TIME, 4), f32(TIME, 4)), main(rope=1)),
)  # fmt: skip
LAYERS = (
    layer("layer_norm", "LayerNorm", nn.LayerNorm(WIDTH), (X,), main(layer_norm=1), VAR),
    layer("rms_norm", "RMSNorm", nn.RMSNorm(WIDTH), (X,), main(rms_norm=1)),
    layer("rms_norm_llama", "RMSNorm as in Llama, in bfloat16", RmsNorm(), (HALF,),
          main(rms_norm=1)),
    layer("group_norm", "GroupNorm, 2 groups: a loop of one turn over rows that are normed",
          nn.GroupNorm(2, WIDTH), (IMAGE,), at("closed_call", layer_norm=1), VAR),
    layer("batch_norm", "BatchNorm2d, inference", nn.BatchNorm2d(WIDTH), (IMAGE,),
          main(batch_norm_inference=1)),
    layer("linear", "Linear", nn.Linear(WIDTH, 16), (X,), main(linear=1)),
    layer("linear_relu", "Linear, ReLU", nn.Sequential(nn.Linear(WIDTH, 16), nn.ReLU()),
          (f32(4, WIDTH),), main(linear=1) | RELU),
    layer("mlp", "Linear, GELU, Linear",
          nn.Sequential(nn.Linear(WIDTH, 16), nn.GELU(), nn.Linear(16, WIDTH)), (X,),
          main(transformer_mlp=1)),
    layer("gated", "down(silu(gate(x)) * up(x))", Gated(), (X,), main(transformer_mlp=1) | SILU),
    layer("conv_relu", "Conv2d, ReLU", nn.Sequential(nn.Conv2d(WIDTH, 16, 3), nn.ReLU()),
          (IMAGE,), main(conv=1) | RELU),
    layer("embedding", "Embedding", nn.Embedding(10, WIDTH), (i32(BATCH, TIME),),
          at("_take", embedding=1)),
    layer("attention_block", "causal attention of two heads", Attention(), (X,),
          main(attention=1, linear=2)),
    layer("block", "a layer of GPT", Block(), (X,),
          main(attention=1, layer_norm=2, linear=2, transformer_mlp=1), VAR),
)  # fmt: skip
CASES = (*FUNCTIONS, *LAYERS)

if __name__ == "__main__":
    producer = f"torchax {torchax.__version__}, torch {torch.__version__}, jax {jax.__version__}"
    write("torchax", producer, CASES)
