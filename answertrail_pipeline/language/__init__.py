"""Rules about words that every room shares: tokens and stems, numbers, names, sentences. No model, no state."""
