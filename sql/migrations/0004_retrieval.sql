-- Narrow on purpose: vectors inside the wide chunk row go to TOAST, and an exact scan takes 5 times as long.
create table embeddings (
    channel      text not null,
    model        text not null,
    kind         text not null check (kind in ('chunk', 'claim')),
    unit_id      text not null,
    video_id     text not null,
    published_at timestamptz not null,
    text_sha256  text not null,
    vector       halfvec not null,
    primary key (channel, model, kind, unit_id)
);
create index embeddings_published on embeddings (channel, model, kind, published_at);
create index embeddings_video on embeddings (channel, video_id);

create table postings (
    channel      text not null,
    kind         text not null,
    term         text not null,
    unit_id      text not null,
    video_id     text not null,
    published_at timestamptz not null,
    frequency    integer not null,
    primary key (channel, kind, term, unit_id)
);
create index postings_video on postings (channel, video_id);

create table unit_lengths (
    channel  text not null,
    kind     text not null,
    unit_id  text not null,
    video_id text not null,
    terms    integer not null,
    primary key (channel, kind, unit_id)
);

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
