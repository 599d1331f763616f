"""Caption formats: bytes of any kind to cues. One module a family of formats; `read.py` finds which it is."""
