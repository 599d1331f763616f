-- The set of runs whose finds make a channel's pool now. Earlier sets keep their pools and their numbers.
create table declared_pools (
    channel      text primary key,
    gold_version text not null,
    run_keys     text[] not null,
    declared_at  timestamptz not null default now()
);

-- A person's word that an event of a pool belongs into the next base, or no more. Append-only: the last word counts.
create table promotions (
    promotion_id bigint generated always as identity primary key,
    channel      text not null,
    question_id  text not null,  -- the person whose career it is
    event_hash   text not null,
    event        jsonb not null,
    pool_id      text not null,  -- where it was seen
    decision     text not null check (decision in ('promote', 'withdraw')),
    reviewer     text not null check (reviewer <> ''),
    reason       text,
    decided_at   timestamptz not null default now()
);
create index promotions_person on promotions (channel, question_id);

-- The numbers of a channel's declared pool as they were last made: JSON, byte for byte.
create table biography_boards (
    channel        text primary key,
    pool_id        text not null,
    content        text not null,
    content_sha256 text not null
);

-- A sensitivity row: years of start may differ by one.
alter table biography_scores drop constraint biography_scores_scope_check;
alter table biography_scores add constraint biography_scores_scope_check
    check (scope in ('novel', 'full', 'own_out', 'one_year_off'));
