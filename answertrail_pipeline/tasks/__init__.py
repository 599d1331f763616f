"""The model's work: one module a task, each with a prompt, typed input and output, and a rule-based baseline."""
