__version_info__: tuple[int, ...]
