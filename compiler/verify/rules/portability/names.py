"""Names that other tools do not take."""

from __future__ import annotations

from collections.abc import Iterator

from dxir.mlir import IrOperation
from dxir.reading import function_name
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class Names(Rule, id="portability-names", severity="warning"):
    """The name of a mesh, an axis or a function is not in ASCII.

    XLA ends the process over such a name of a mesh or of an axis. In names of functions, which MLIR
    takes if they are UTF-8, other tools meet what they cannot spell. Names that are not even UTF-8
    end the process of whoever reads them by MLIR's bindings.
    """

    remedy = "name it in ASCII: letters, digits, underscores"
    ops = ("sdy.mesh", "func.func")
    messages = (r"^the name .* is not UTF-8",)
    faulty = """\
sdy.mesh @mesh = <["größe"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"größe"}]>})
    -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""
    fixed = faulty.replace("größe", "size")

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterator[Finding]:
        name = function_name(op)
        if op.name == "func.func":
            if not name.isascii():
                yield self.found(f"the name of the function @{name} is not ASCII", op, subject)
            return
        odd = [f"the mesh @{name}"] if not name.isascii() else []
        mesh = subject.meshes.get(name)
        if mesh is not None:
            odd += [f"the axis {axis!r}" for axis, _ in mesh.axes if not axis.isascii()]
        if odd:
            message = f"XLA reads names of meshes and axes in ASCII only: {', '.join(odd)}"
            yield self.found(message, op, subject, severity="error")
