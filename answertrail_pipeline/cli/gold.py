"""`answertrail gold ...`: the answer key, outside of the workbench."""
