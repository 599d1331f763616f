insert into model_checks (task, prompt_hash, model, config, items, right_items, detail, cost_usd)
values (:task, :prompt_hash, :model, :config, :items, :right_items, :detail, :cost_usd)
on conflict (task, prompt_hash, model) do update set
    config = excluded.config,
    items = excluded.items,
    right_items = excluded.right_items,
    detail = excluded.detail,
    cost_usd = excluded.cost_usd,
    checked_at = now()
