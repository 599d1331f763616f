"""Finding evidence: tokens, embeddings, dense, BM25, hybrid, trajectory."""
