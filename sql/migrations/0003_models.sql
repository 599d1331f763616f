-- The ledger: one row per call, keyed by the whole request; the same request is answered from here.
-- `request` and `reply` are json, not jsonb: a reply may hold \u0000, which jsonb refuses.
create table model_calls (
    call_key         text primary key,
    kind             text not null check (kind in ('chat', 'embed', 'rules')),
    channel          text not null,
    task             text not null,
    task_version     text not null,
    model            text not null,
    pool             text not null,  -- model and endpoint: what shares one concurrency limit
    prompt_hash      text not null,
    stage            text not null,  -- on whose account it was first made
    unit_key         text not null,
    run_key          text,
    arm              text,
    state            text not null check (state in ('in_flight', 'done', 'error')),
    owner            text,  -- the process that makes the call; it renews the lease while it lives
    lease_until      timestamptz,
    request          json not null,
    reply            json,
    finish_reason    text,
    prompt_tokens    bigint,
    cached_tokens    bigint,
    completion_tokens bigint,
    reasoning_tokens bigint,
    cost_usd         numeric(14, 8),  -- null: unknown, never 0
    budgets          text[] not null default '{}',  -- the budgets that a call in flight has reserved from
    reserved_usd     numeric(14, 8) not null default 0,  -- its highest cost, while in flight
    lost_usd         numeric(14, 8) not null default 0,  -- highest cost of tries that brought nothing but may be billed
    latency_ms       integer,
    tries            integer not null default 0,
    error_code       text,
    error            text,
    started_at       timestamptz not null default now(),
    finished_at      timestamptz
);
create index model_calls_stage on model_calls (channel, stage, task);
create index model_calls_run on model_calls (run_key) where run_key is not null;
create index model_calls_finished on model_calls (finished_at) where kind <> 'rules';
create index model_calls_in_flight on model_calls (pool, lease_until) where state = 'in_flight';

-- The slots that the command line and Dagster share: who counts the calls in flight of a pool holds its row.
create table call_pools (
    pool text primary key
);

-- Money by day and by run: `spent_usd + reserved_usd` never passes the limit that a call was made under.
create table budgets (
    budget       text primary key,  -- `day 2026-11-30`, `run KEY`, `pass ID`
    spent_usd    numeric(14, 8) not null default 0,
    reserved_usd numeric(14, 8) not null default 0
);

-- What `answertrail check-model` found, shown wherever the model is used.
create table model_checks (
    task        text not null,
    prompt_hash text not null,
    model       text not null,
    config      jsonb not null,
    items       integer not null,
    right_items integer not null,
    detail      jsonb not null,
    cost_usd    numeric(14, 8),
    checked_at  timestamptz not null default now(),
    primary key (task, prompt_hash, model)
);
