"""Layers, losses and optimizers as plain functions over containers of arrays.

A layer is two functions: `init_linear(key, 64, 32)` makes its parameters, a dictionary of arrays,
and `linear(params, x)` applies it. Nothing else is kept anywhere. All of them work on numbers, in
functions that are traced, and under `dxir.grad` and `dxir.vmap`.
"""

import typing as _typing

from dxir.nn import initializers as initializers
from dxir.nn import schedules as schedules
from dxir.nn.activations import elu as elu
from dxir.nn.activations import gelu as gelu
from dxir.nn.activations import hard_sigmoid as hard_sigmoid
from dxir.nn.activations import hard_swish as hard_swish
from dxir.nn.activations import leaky_relu as leaky_relu
from dxir.nn.activations import log_softmax as log_softmax
from dxir.nn.activations import mish as mish
from dxir.nn.activations import relu as relu
from dxir.nn.activations import relu6 as relu6
from dxir.nn.activations import sigmoid as sigmoid
from dxir.nn.activations import silu as silu
from dxir.nn.activations import softmax as softmax
from dxir.nn.activations import softplus as softplus
from dxir.nn.activations import softsign as softsign
from dxir.nn.activations import tanh as tanh
from dxir.nn.attention import KVCache as KVCache
from dxir.nn.attention import attention as attention
from dxir.nn.attention import init_attention as init_attention
from dxir.nn.attention import init_kv_cache as init_kv_cache
from dxir.nn.attention import rope as rope
from dxir.nn.attention import rope_tables as rope_tables
from dxir.nn.convolution import conv as conv
from dxir.nn.convolution import conv_transpose as conv_transpose
from dxir.nn.convolution import init_conv as init_conv
from dxir.nn.convolution import init_conv_transpose as init_conv_transpose
from dxir.nn.feed_forward import dropout as dropout
from dxir.nn.feed_forward import init_mlp as init_mlp
from dxir.nn.feed_forward import init_swiglu as init_swiglu
from dxir.nn.feed_forward import mlp as mlp
from dxir.nn.feed_forward import swiglu as swiglu
from dxir.nn.gradients import accumulated_gradients as accumulated_gradients
from dxir.nn.gradients import clip_by_global_norm as clip_by_global_norm
from dxir.nn.gradients import clip_by_value as clip_by_value
from dxir.nn.gradients import ema as ema
from dxir.nn.gradients import global_norm as global_norm
from dxir.nn.linear import attend as attend
from dxir.nn.linear import embedding as embedding
from dxir.nn.linear import init_embedding as init_embedding
from dxir.nn.linear import init_linear as init_linear
from dxir.nn.linear import linear as linear
from dxir.nn.losses import accuracy as accuracy
from dxir.nn.losses import bce_with_logits as bce_with_logits
from dxir.nn.losses import cross_entropy as cross_entropy
from dxir.nn.losses import huber as huber
from dxir.nn.losses import kl_divergence as kl_divergence
from dxir.nn.losses import mae as mae
from dxir.nn.losses import mse as mse
from dxir.nn.normalization import BatchNormState as BatchNormState
from dxir.nn.normalization import batch_norm as batch_norm
from dxir.nn.normalization import group_norm as group_norm
from dxir.nn.normalization import init_batch_norm as init_batch_norm
from dxir.nn.normalization import init_group_norm as init_group_norm
from dxir.nn.normalization import init_layer_norm as init_layer_norm
from dxir.nn.normalization import init_rms_norm as init_rms_norm
from dxir.nn.normalization import layer_norm as layer_norm
from dxir.nn.normalization import rms_norm as rms_norm
from dxir.nn.optimizers import AdamState as AdamState
from dxir.nn.optimizers import LionState as LionState
from dxir.nn.optimizers import MomentumState as MomentumState
from dxir.nn.optimizers import RmspropState as RmspropState
from dxir.nn.optimizers import SgdState as SgdState
from dxir.nn.optimizers import adam as adam
from dxir.nn.optimizers import adamw as adamw
from dxir.nn.optimizers import init_adam as init_adam
from dxir.nn.optimizers import init_adamw as init_adamw
from dxir.nn.optimizers import init_lion as init_lion
from dxir.nn.optimizers import init_momentum as init_momentum
from dxir.nn.optimizers import init_rmsprop as init_rmsprop
from dxir.nn.optimizers import init_sgd as init_sgd
from dxir.nn.optimizers import lion as lion
from dxir.nn.optimizers import momentum as momentum
from dxir.nn.optimizers import rmsprop as rmsprop
from dxir.nn.optimizers import sgd as sgd
from dxir.nn.pooling import avg_pool as avg_pool
from dxir.nn.pooling import global_avg_pool as global_avg_pool
from dxir.nn.pooling import max_pool as max_pool
from dxir.nn.recurrent import LstmState as LstmState
from dxir.nn.recurrent import gru as gru
from dxir.nn.recurrent import gru_cell as gru_cell
from dxir.nn.recurrent import init_gru as init_gru
from dxir.nn.recurrent import init_lstm as init_lstm
from dxir.nn.recurrent import lstm as lstm
from dxir.nn.recurrent import lstm_cell as lstm_cell
from dxir.nn.tables import count_parameters as count_parameters
from dxir.nn.tables import load as load
from dxir.nn.tables import save as save
from dxir.nn.tables import summary as summary
from dxir.nn.transformer import init_transformer_block as init_transformer_block
from dxir.nn.transformer import transformer_block as transformer_block
from dxir.other_names import NN as _NN
from dxir.other_names import no_attribute as _no_attribute

if not _typing.TYPE_CHECKING:  # to type checkers, other names are mistakes

    def __getattr__(name):
        raise _no_attribute("dxir.nn", name, __dir__(), _NN)

    def __dir__():
        return [n for n in globals() if not n.startswith("_")]
