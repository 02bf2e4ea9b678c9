"""Running programs: executables, the arrays they take and give, and PJRT."""

import os

# The runtime greets on stderr with its device count; warnings and errors still come through.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
