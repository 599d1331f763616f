"""The one door to language and embedding models: LiteLLM, the ledger of calls, budgets, families."""
