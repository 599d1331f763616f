"""Captions and documents: from any format to dated chunks."""
