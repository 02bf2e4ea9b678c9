"""The pattern language: formulas that are found in programs, however these spell them.

x, axis = Var("x"), "axis"
top = exp(Total(x, Minus(Reduce("maximum", x, axis))))
SOFTMAX = Rule("softmax", (Product(top, Over(Reduce("add", top, axis))),), operands=("x",))
"""

from dxir.pattern.arithmetic import Product as Product
from dxir.pattern.arithmetic import Total as Total
from dxir.pattern.derive import derived_rules as derived_rules
from dxir.pattern.forms import Count as Count
from dxir.pattern.forms import Either as Either
from dxir.pattern.forms import Elementwise as Elementwise
from dxir.pattern.forms import Number as Number
from dxir.pattern.forms import Pattern as Pattern
from dxir.pattern.forms import Var as Var
from dxir.pattern.halves import Half as Half
from dxir.pattern.halves import Join as Join
from dxir.pattern.matcher import Matcher as Matcher
from dxir.pattern.named import Named as Named
from dxir.pattern.named import Reshaped as Reshaped
from dxir.pattern.opposites import InvSqrt as InvSqrt
from dxir.pattern.opposites import Minus as Minus
from dxir.pattern.opposites import Over as Over
from dxir.pattern.registry import register_rule as register_rule
from dxir.pattern.rule import Match as Match
from dxir.pattern.rule import Rule as Rule
from dxir.pattern.tensors import Contract as Contract
from dxir.pattern.tensors import Reduce as Reduce
