"""Random numbers from explicit keys: the same key gives the same numbers, on every target.

A key is an array `ui32[2]`. Nothing is hidden: `key` makes one of a seed, `split` and `fold_in`
make new ones of it, and a key that has been used is not used again. The generator is
Threefry-2x32; docs/random.md says what each function does with its bits.
"""

import typing as _typing

from dxir.other_names import RANDOM as _RANDOM
from dxir.other_names import no_attribute as _no_attribute
from dxir.random.choosing import categorical as categorical
from dxir.random.choosing import choice as choice
from dxir.random.choosing import permutation as permutation
from dxir.random.distributions import bernoulli as bernoulli
from dxir.random.distributions import exponential as exponential
from dxir.random.distributions import gumbel as gumbel
from dxir.random.distributions import laplace as laplace
from dxir.random.distributions import normal as normal
from dxir.random.distributions import rademacher as rademacher
from dxir.random.distributions import randint as randint
from dxir.random.distributions import truncated_normal as truncated_normal
from dxir.random.distributions import uniform as uniform
from dxir.random.keys import bits as bits
from dxir.random.keys import fold_in as fold_in
from dxir.random.keys import key as key
from dxir.random.keys import split as split
from dxir.random.rejecting import beta as beta
from dxir.random.rejecting import dirichlet as dirichlet
from dxir.random.rejecting import gamma as gamma

if not _typing.TYPE_CHECKING:  # to type checkers, other names are mistakes

    def __getattr__(name):
        raise _no_attribute("dxir.random", name, __dir__(), _RANDOM)

    def __dir__():
        return [n for n in globals() if not n.startswith("_")]
