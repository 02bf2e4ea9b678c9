"""The colours of MLIR in snippets; Pygments has no lexer of it."""

from pygments.lexer import RegexLexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)
from sphinx.application import Sphinx


class MlirLexer(RegexLexer):
    """MLIR as text: operations, values, symbols, types and attributes."""

    name = "MLIR"
    aliases = ("mlir",)
    filenames = ("*.mlir",)
    tokens = {  # noqa: RUF012  a table of the class, as Pygments wants it
        "root": [
            (r"\s+", Whitespace),
            (r"//[^\n]*", Comment.Single),
            (r'"(\\.|[^"\\])*"', String),
            (r"%[\w$.-]+(:\d+)?(#\d+)?", Name.Variable),
            (r'@([\w$.-]+|"[^"]*")', Name.Function),
            (r"\^[\w$.-]+", Name.Label),
            (r"[!#][\w$.-]+", Name.Attribute),
            (r"(tensor|tuple|vector|dense|dense_resource|loc|array)\b", Keyword.Type),
            (r"\b(true|false|unit)\b", Keyword.Constant),
            (r"-?\d+\.\d*([eE][-+]?\d+)?", Number.Float),
            (r"0x[0-9a-fA-F]+", Number.Hex),
            (r"(\?|-?\d+)(?=x|>|\b)", Number.Integer),
            (r"[a-zA-Z_][\w$]*(\.[\w$]+)+", Name.Builtin),
            (r"[a-zA-Z_][\w$]*", Name),
            (r"->|[=:*+/|-]", Operator),
            (r"[()\[\]{}<>,;]", Punctuation),
            (r".", Punctuation),
        ]
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the lexer to Sphinx."""
    app.add_lexer("mlir", MlirLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
