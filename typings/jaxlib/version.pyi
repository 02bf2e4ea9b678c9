__version_info__: tuple[int, ...]
__version__: str
