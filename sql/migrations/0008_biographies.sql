-- People in public office whose careers are reconstructed. Names are never keys. No relatives, no private life.
create table people (
    channel   text not null,
    person_id text not null,
    name      text not null,
    country   text not null,
    region    text not null,
    office    text,
    names     jsonb not null default '[]',  -- [{text, lang}], native scripts too
    reference text,  -- a text that tells part of the career already (an encyclopedia's article)
    reference_sha256 text not null,  -- of '' where there is none
    source    text not null,  -- file or data set that named the person
    primary key (channel, person_id)
);

-- What the coder of a run wrote, event by event, with the judge's words on it.
create table coded_events (
    run_key     text not null,
    question_id text not null,  -- the person
    ordinal     integer not null,
    event       jsonb not null,
    content_hash text not null,
    chunk_ids   text[] not null default '{}',  -- what the coder read it from
    supported   boolean,  -- the run's own archive says role, organization and start; null: unscored
    covered     text check (covered in ('yes', 'partial', 'no')),  -- told by the reference; null: unscored
    slots       text[] not null default '{}',  -- of start, end, title: supported by themselves
    sources     text[] not null default '{}',  -- documents whose lines support it
    primary key (run_key, question_id, ordinal)
);

-- The judge's word on whether the reference tells an event of a base version.
create table base_coverage (
    channel      text not null,
    gold_version text not null,
    question_id  text not null,
    nugget_id    text not null,
    covered      text check (covered in ('yes', 'partial', 'no')),
    verdict_id   text references verdicts (verdict_id),
    primary key (channel, gold_version, question_id, nugget_id)
);

-- Is it one event? Kept under the sorted pair of content hashes, so that a pair is asked once.
create table same_events (
    first_hash  text not null,
    second_hash text not null,
    judge_id    text not null,
    verdict_id  text not null references verdicts (verdict_id),
    same        boolean not null,
    primary key (first_hash, second_hash, judge_id),
    check (first_hash < second_hash)
);

-- A pool is no gold version: base and supported finds of a declared set of runs. Its id is a hash of exactly these.
create table pools (
    pool_id         text primary key,
    channel         text not null,
    base_version    text not null,
    run_keys        text[] not null,
    judge_id        text not null,
    matcher_version text not null,
    reference_version text not null,
    made_at         timestamptz not null default now()
);

create table pool_events (
    pool_id     text not null references pools (pool_id),
    question_id text not null,
    ordinal     integer not null,
    event       jsonb not null,
    truth       jsonb not null,  -- right start months, end months and titles
    origin      text not null check (origin in ('base', 'pooled')),
    covered     boolean not null,
    found_by    text[] not null,  -- runs whose own evidence supports it
    primary key (pool_id, question_id, ordinal)
);

-- One run on one person against one truth: the frozen base (pool_id '') or a pool.
create table biography_scores (
    run_key     text not null,
    question_id text not null,
    pool_id     text not null,
    scope       text not null check (scope in ('novel', 'full', 'own_out')),
    level       text not null check (level in ('event', 'attribute', 'slot')),
    tp          integer not null,
    fp          integer not null,
    fn          integer not null,
    detail      jsonb not null default '{}',
    primary key (run_key, question_id, pool_id, scope, level)
);

-- Searches of the live web, by their words.
create table web_searches (
    query      text not null,
    language   text not null,
    via        text not null,
    urls       text[] not null,
    asked_at   timestamptz not null,
    primary key (query, language, via)
);

-- Pages that were fetched from the live web: a run over them can be replayed without it.
create table pages (
    url        text not null,
    sha256     text not null,
    fetched_at timestamptz not null,
    status     integer not null,
    title      text not null,
    text       text not null,
    via        text not null,
    primary key (url, sha256)
);
