"""The demonstration: a fictional library, run through the whole pipeline and held against what is planted."""
