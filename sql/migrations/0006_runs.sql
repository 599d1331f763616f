-- A run is (arm, gold version, corpus_id, repetition): the partition of everything below.
create table runs (
    run_key      text primary key,  -- channel/arm/gold/cN/rN
    channel      text not null,
    arm          text not null,
    arm_hash     text not null,
    arm_config   jsonb not null,  -- all that the hash is made of
    gold_version text not null,
    corpus_id    text not null,
    repetition   integer not null check (repetition >= 1),
    epoch        integer not null default 1 check (epoch >= 1),
    made_at      timestamptz not null default now()
);
create index runs_channel on runs (channel, arm, gold_version);

-- What one run did for one question. `events` holds every search in order; the live view reads the same.
create table trails (
    run_key      text not null references runs (run_key),
    question_id  text not null,
    state        text not null check (state in ('done', 'error')),
    question     text not null,  -- as it was asked
    answer       text,
    abstained    boolean not null default false,  -- the agent says that the corpus holds no answer
    citations    text[] not null default '{}',
    events       jsonb not null default '[]',
    searches     integer not null default 0,
    steps        integer not null default 0,
    budget_exhausted boolean not null default false,
    -- What the answer can be checked against: all chunks retrieved, only those cited (the agent had everything
    -- before it), or nothing (an external agent that told nothing).
    evidence     text not null default 'retrieved' check (evidence in ('retrieved', 'cited', 'none')),
    reports_retrieval boolean generated always as (evidence = 'retrieved') stored,
    model_calls  integer not null default 0,
    prompt_tokens bigint,
    completion_tokens bigint,
    cost_usd     numeric(14, 8),
    detail       jsonb not null default '{}',  -- repeated searches, malformed tool calls, refusals, what was cut
    error        text,
    adopted_from text,  -- run_key of the trail with the same fingerprint
    fingerprint  text not null,
    primary key (run_key, question_id)
);
create index trails_fingerprint on trails (fingerprint) where state = 'done';

-- Title and date are kept with the chunk: an old trail reads the same when a video was renamed or is gone.
-- The text is in chunk_texts under (chunk_id, text_sha256); foreign evidence has ids `foreign#...` there.
create table trail_chunks (
    run_key     text not null,
    question_id text not null,
    chunk_id    text not null,
    text_sha256 text not null,
    video_id    text not null,
    title       text not null,
    published_at timestamptz,  -- null: foreign evidence without a date
    start_seconds double precision not null,
    first_step  integer not null,  -- number of the search that found it first
    rank        integer not null,  -- in that search
    score       double precision,
    why         jsonb not null default '{}',
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
