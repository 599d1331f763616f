"""The answer key: claims, threads, questions, nuggets, adjudication, gold versions."""
