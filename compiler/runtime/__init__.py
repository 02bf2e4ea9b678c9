"""Running programs: executables, the arrays they take and give, and PJRT."""
