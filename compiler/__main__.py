"""`python -m dxir` is the `dxir` command."""

import sys

from dxir.tools.main import main

if __name__ == "__main__":
    sys.exit(main())
