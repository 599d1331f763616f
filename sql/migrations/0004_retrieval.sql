-- The search index. Dates and states of videos are joined in from `videos`, never copied: one truth.
-- Narrow on purpose: vectors inside the wide chunk row go to TOAST, and an exact scan takes 5 times as long.
create table embeddings (
    channel  text not null,
    kind     text not null check (kind in ('chunk', 'claim')),
    model    text not null,
    video_id text not null,
    unit_id  text not null,  -- chunk_id or claim_id
    vector   halfvec not null,
    primary key (channel, kind, model, unit_id)
);
create index embeddings_video on embeddings (channel, kind, video_id);

-- How often a unit says a term. BM25 weights are computed in the query (sql/search/bm25.sql), so that one new
-- video rewrites no posting of another.
create table postings (
    channel   text not null,
    kind      text not null check (kind in ('chunk', 'claim')),
    term      text not null,
    video_id  text not null,
    unit_id   text not null,
    frequency integer not null,
    primary key (channel, kind, term, unit_id) include (frequency)  -- a search reads nothing but this index
);
create index postings_video on postings (channel, kind, video_id);

create table unit_lengths (
    channel  text not null,
    kind     text not null check (kind in ('chunk', 'claim')),
    video_id text not null,
    unit_id  text not null,
    terms    integer not null,
    primary key (channel, kind, unit_id)
);
create index unit_lengths_video on unit_lengths (channel, kind, video_id);

-- Over active videos only.
create table term_stats (
    channel text not null,
    kind    text not null,
    term    text not null,
    units   integer not null,  -- document frequency
    primary key (channel, kind, term)
);

create table corpus_stats (
    channel       text not null,
    kind          text not null,
    units         integer not null,
    average_terms double precision not null,
    primary key (channel, kind)
);
