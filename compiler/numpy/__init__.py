"""Arrays and functions of the Python array API standard, as far as tracing allows.

`import dxir.numpy as xp`: in functions that are traced these make nodes of the graph; elsewhere
they compute at once, by the references of the ops.
"""

from dxir.numpy.elementwise import add as add
from dxir.numpy.elementwise import divide as divide
from dxir.numpy.elementwise import equal as equal
from dxir.numpy.elementwise import exp as exp
from dxir.numpy.elementwise import greater as greater
from dxir.numpy.elementwise import greater_equal as greater_equal
from dxir.numpy.elementwise import less as less
from dxir.numpy.elementwise import less_equal as less_equal
from dxir.numpy.elementwise import multiply as multiply
from dxir.numpy.elementwise import negative as negative
from dxir.numpy.elementwise import not_equal as not_equal
from dxir.numpy.elementwise import subtract as subtract
from dxir.numpy.elementwise import tanh as tanh
from dxir.numpy.indexing import getitem as getitem
from dxir.numpy.promotion import is_operand as is_operand
from dxir.numpy.promotion import result_type as result_type
