"""Models of Transformers, small ones with random weights, taken to JAX by torchax."""

from __future__ import annotations

import jax
import torch
import transformers
from exporting import Case, Counts, Tree, at, f32, i32, main, write
from loading_torchax import load
from torch import nn

torchax = load()

BATCH, TIME, WIDTH, WIDE = 2, 6, 16, 32
IDS = i32(BATCH, TIME)
SMALL = {
    "hidden_size": WIDTH,
    "intermediate_size": WIDE,
    "num_attention_heads": 4,
    "num_hidden_layers": 1,
    "vocab_size": 32,
    "max_position_embeddings": 16,
}
SHARED = SMALL | {"num_key_value_heads": 2, "head_dim": 4, "use_cache": False}
PART = SMALL | {"num_attention_heads": 2, "use_cache": False}
GPT2 = {
    "n_embd": WIDTH, "n_head": 4, "n_layer": 1, "n_inner": WIDE, "vocab_size": 32,
    "n_positions": 16, "use_cache": False,
}  # fmt: skip
OPT = SMALL | {"ffn_dim": WIDE, "word_embed_proj_dim": WIDTH, "use_cache": False}
BLOOM = {
    "hidden_size": WIDTH, "n_head": 4, "n_layer": 1, "vocab_size": 32, "use_cache": False,
}  # fmt: skip
DISTIL = {
    "dim": WIDTH, "hidden_dim": WIDE, "n_heads": 4, "n_layers": 1, "vocab_size": 32,
    "max_position_embeddings": 16,
}  # fmt: skip
T5 = {
    "d_model": WIDTH, "d_kv": 4, "d_ff": WIDE, "num_layers": 1, "num_heads": 4, "vocab_size": 32,
}  # fmt: skip
XLNET = {"vocab_size": 32, "d_model": WIDTH, "n_layer": 1, "n_head": 4, "d_inner": WIDE}
TOKENS = {f"{n}_token_id": i for i, n in enumerate(("pad", "eos", "bos", "cls", "sep"))}
PATCHES = SMALL | {"image_size": 8, "patch_size": 4}
SWIN = {
    "image_size": 8, "patch_size": 2, "embed_dim": 8, "depths": [1], "num_heads": [2],
    "window_size": 2,
}  # fmt: skip
RESNET = {"embedding_size": 4, "hidden_sizes": [8], "depths": [1], "layer_type": "basic"}
CONVNEXT = {"num_stages": 1, "hidden_sizes": [8], "depths": [1]}
IMAGE, LARGE, MASK = f32(BATCH, 3, 8, 8), f32(BATCH, 3, 16, 16), i32(BATCH, TIME)
Expected = dict[str, Counts]


class Hidden(nn.Module):
    """What comes out of a model last, and nothing else."""

    def __init__(self, model: nn.Module, name: str) -> None:
        super().__init__()
        self.model, self.name = model, name

    def forward(self, given: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        named = {self.name: given} | ({} if mask is None else {"attention_mask": mask})
        return self.model(**named)[0]  # type: ignore[no-any-return]


def model(
    name: str,
    kind: str,
    options: dict[str, object],
    arguments: tuple[Tree, ...],
    expect: Expected,
    may: Expected | None = None,
    *,
    attention: str = "eager",
    given: str = "input_ids",
    config: str = "",
) -> Case:
    """A model with its weights as arguments, for inference."""
    made = getattr(transformers, f"{config or kind}Config")(**options)
    made._attn_implementation = attention
    module = Hidden(getattr(transformers, f"{kind}Model")(made).eval(), given)
    weights, call = torchax.extract_jax(module)
    return Case(
        name,
        f"{kind}Model, {attention} attention",
        lambda w, *xs: call(w, xs),
        (weights, *arguments),
        expect,
        may or {},
    )


def table(*numbers: int) -> Expected:
    """Look-ups in tables, each in a function of its own."""
    names = ("_take", *(f"_take_{n}" for n in numbers))
    return {name: {"embedding": 1} for name in names}


BLOCK = {"attention": 1, "transformer_mlp": 1}
TURNED = BLOCK | {"rope": 2}
LLAMA = main(**TURNED, rms_norm=3) | table()
BERT = main(**BLOCK, layer_norm=3, linear=4) | table(0, 1)
SILU, RELU = at("silu", silu=1), at("relu", relu=1)
CASES = (
    model("llama", "Llama", SHARED, (IDS,), LLAMA | SILU),
    model("llama_sdpa", "Llama", SHARED, (IDS,), LLAMA | SILU, attention="sdpa"),
    model("mistral", "Mistral", SHARED | {"sliding_window": 3}, (IDS,), LLAMA | SILU),
    model("phi3", "Phi3", SHARED | TOKENS, (IDS,), LLAMA | SILU),
    model("gemma", "Gemma", SHARED, (IDS,), LLAMA),
    model("gemma2", "Gemma2", SHARED, (IDS,),
          main(softmax=1, rms_norm=5, rope=2, transformer_mlp=1) | table()),
    model("qwen2", "Qwen2", SHARED, (IDS,), main(**TURNED, rms_norm=3, linear=3) | table() | SILU),
    model("qwen3", "Qwen3", SHARED, (IDS,), main(**TURNED, rms_norm=5) | table() | SILU),
    model("olmo2", "Olmo2", SHARED | TOKENS, (IDS,), main(**TURNED, rms_norm=5) | table() | SILU),
    model("cohere", "Cohere", SHARED | TOKENS, (IDS,),
          main(**TURNED, layer_norm=2) | table() | SILU),
    model("falcon", "Falcon", SMALL | {"use_cache": False}, (IDS,),
          main(**TURNED, layer_norm=2) | table()),
    model("phi", "Phi", PART | {"partial_rotary_factor": 0.5}, (IDS,),
          main(**TURNED, layer_norm=2, linear=4) | table()),
    model("gpt_neox", "GPTNeoX", PART | {"rotary_pct": 0.5}, (IDS,),
          main(**TURNED, layer_norm=3, linear=2) | table()),
    model("gptj", "GPTJ", GPT2 | TOKENS | {"n_head": 2, "rotary_dim": 4}, (IDS,),
          main(**TURNED, layer_norm=2, embedding=1) | table()),
    model("gpt2", "GPT2", GPT2 | TOKENS, (IDS,),
          main(**BLOCK, layer_norm=3, linear=2) | table(0)),
    model("opt", "OPT", OPT, (IDS, MASK), main(**BLOCK, layer_norm=3, linear=4) | table(2) | RELU),
    model("bloom", "Bloom", BLOOM, (IDS, MASK), main(**BLOCK, layer_norm=4, linear=2) | table()),
    model("t5", "T5Encoder", T5, (IDS,), main(**BLOCK, rms_norm=3) | table(1) | RELU, config="T5"),
    model("bert", "Bert", SMALL, (IDS, MASK), BERT),
    model("modernbert", "ModernBert", SMALL | TOKENS, (IDS,),
          main(**TURNED, layer_norm=3) | table()),
    model("distilbert", "DistilBert", DISTIL, (IDS,),
          main(**BLOCK, layer_norm=3, linear=4) | table(0)),
    model("albert", "Albert", SMALL | {"embedding_size": 8}, (IDS,),
          main(**BLOCK, layer_norm=3, linear=5) | table(0, 1)),
    model("deberta", "Deberta", SMALL, (IDS,), main(**BLOCK, layer_norm=3, linear=1) | table(0)),
    # Its scores are a sum of two products.
    model("xlnet", "XLNet", XLNET, (IDS,),
          main(softmax=1, transformer_mlp=1, layer_norm=2, linear=1) | table()),
    model("vit", "ViT", PATCHES, (IMAGE,), main(**BLOCK, layer_norm=3, linear=4, conv=1),
          given="pixel_values"),
    model("clip_vision", "CLIPVision", PATCHES, (IMAGE,),
          main(**BLOCK, layer_norm=3, linear=4) | table(), given="pixel_values"),
    model("swin", "Swin", SWIN, (IMAGE,),
          main(**BLOCK, layer_norm=4, linear=4, conv=1, embedding=1), given="pixel_values"),
    model("convnext", "ConvNext", CONVNEXT, (LARGE,),
          main(transformer_mlp=1, layer_norm=2, conv=2), given="pixel_values"),
    model("resnet", "ResNet", RESNET, (LARGE,),
          main(batch_norm_inference=4) | RELU | at("relu_0", relu=1), given="pixel_values"),
)  # fmt: skip

if __name__ == "__main__":
    producer = f"transformers {transformers.__version__} on torchax {torchax.__version__}"
    write("transformers", f"{producer}, jax {jax.__version__}", CASES)
