"""Rules of rewriting, by what they are about; each file has `RULES` that a pass puts together."""
