"""Whether a module gives the results that it gave, or that another backend gives."""
