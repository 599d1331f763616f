-- A run is (arm, gold version, corpus_id, repetition): the partition of everything below.
create table runs (
    run_key      text primary key,  -- channel/arm/gold/cN/rN
    channel      text not null,
    arm          text not null,
    arm_hash     text not null,
    arm_config   jsonb not null,
    gold_version text not null,
    corpus_id    text not null,
    repetition   integer not null check (repetition >= 1),
    epoch        integer not null default 1,
    made_at      timestamptz not null default now(),
    unique (channel, arm_hash, gold_version, corpus_id, repetition, epoch)
);

-- What one run did for one question. `events` holds every search in order; the live view reads the same.
create table trails (
    run_key      text not null references runs (run_key),
    question_id  text not null,
    state        text not null check (state in ('done', 'error')),
    answer       text,
    citations    text[] not null default '{}',
    events       jsonb not null default '[]',
    searches     integer not null default 0,
    steps        integer not null default 0,
    budget_exhausted boolean not null default false,
    reports_retrieval boolean not null default true,  -- false: an external agent that told nothing
    model_calls  integer not null default 0,
    prompt_tokens bigint,
    completion_tokens bigint,
    cost_usd     numeric(14, 8),
    error        text,
    adopted_from text,  -- run_key of the trail with the same fingerprint
    fingerprint  text not null,
    primary key (run_key, question_id)
);
create index trails_fingerprint on trails (fingerprint) where state = 'done';

create table trail_chunks (
    run_key     text not null,
    question_id text not null,
    chunk_id    text not null,
    text_sha256 text not null,
    first_step  integer not null,  -- the search that found it first
    rank        integer not null,
    kept        boolean not null default true,
    cited       boolean not null default false,
    primary key (run_key, question_id, chunk_id),
    foreign key (run_key, question_id) references trails (run_key, question_id) on delete cascade
);

-- Seconds are kept apart from everything whose bytes are compared.
create table timings (
    run_key     text not null,
    question_id text not null,
    seconds     double precision not null,
    detail      jsonb not null default '{}',
    primary key (run_key, question_id)
);

create table assertions (
    run_key     text not null,
    question_id text not null,
    ordinal     integer not null,
    text        text not null,
    cited_chunk_ids text[] not null default '{}',
    primary key (run_key, question_id, ordinal)
);
