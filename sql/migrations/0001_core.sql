-- What is done: one row per unit of work. Content decides, never time (docs/fingerprints.md).
create extension if not exists vector;

create table stage_run (
    stage         text not null,
    key           text not null,
    channel       text not null,
    input_hash    text not null,
    code_version  text not null,
    output_hash   text,
    state         text not null check (state in ('open', 'done', 'error', 'unscored', 'blocked')),
    reason        text,
    counts        jsonb not null default '{}',
    finished_at   timestamptz not null default now(),
    reported_hash text,  -- output hash and code version last told to Dagster; differs while an event is owed
    primary key (stage, key)
);
create index stage_run_channel on stage_run (channel, stage, state);

-- The last word of each data-quality gate on each unit; a blocking one that failed makes the unit `blocked`.
create table gates (
    stage       text not null,
    key         text not null,
    gate        text not null,
    channel     text not null,
    passed      boolean not null,
    blocking    boolean not null,
    description text not null,
    numbers     jsonb not null default '{}',
    checked_at  timestamptz not null default now(),
    primary key (stage, key, gate)
);
