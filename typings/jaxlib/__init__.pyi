# It makes mypy look here first; all but the modules below comes from jaxlib itself.
