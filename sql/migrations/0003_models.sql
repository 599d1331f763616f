-- The ledger: one row per call, keyed by the whole request; the same request is answered from here.
create table model_calls (
    call_key         text primary key,
    channel          text not null,
    task             text not null,
    task_version     text not null,
    model            text not null,
    prompt_hash      text not null,
    stage            text not null,
    unit_key         text not null,
    run_key          text,
    state            text not null check (state in ('in_flight', 'done', 'error')),
    lease_until      timestamptz,
    request          jsonb not null,
    reply            jsonb,
    finish_reason    text,
    prompt_tokens    bigint,
    cached_tokens    bigint,
    completion_tokens bigint,
    reasoning_tokens bigint,
    cost_usd         numeric(14, 8),  -- null: unknown, never 0
    reserved_usd     numeric(14, 8),
    latency_ms       integer,
    tries            integer not null default 0,
    error            text,
    started_at       timestamptz not null default now(),
    finished_at      timestamptz
);
create index model_calls_stage on model_calls (channel, stage, task);
create index model_calls_run on model_calls (run_key) where run_key is not null;
