"""Biographies: people, their career events, and the lexicon that tells what one office is called elsewhere."""
