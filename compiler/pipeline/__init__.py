"""Passes, the pipelines they are written in, and running them.

`base` is what a pass is, `text` the syntax of pipelines, `native` what MLIR's registry has, `steps`
what a pipeline comes to, `running` runs it, `rewriting` applies patterns inside a pass.
"""
