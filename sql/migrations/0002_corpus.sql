create table videos (
    channel          text not null,
    video_id         text not null,
    kind             text not null default 'video' check (kind in ('video', 'document')),
    title            text not null,
    published_at     timestamptz not null,
    published_precision text not null check (published_precision in ('second', 'day')),
    published_source text not null,  -- the field that the date came from
    language         text not null,
    url              text,
    duration_seconds double precision,
    track            jsonb not null default '{}',  -- the caption track used, and why
    content_sha256   text not null,  -- of the track's normalized cues
    state            text not null default 'active' check (state in ('active', 'retired', 'quarantined')),
    primary key (channel, video_id)
);

create table quarantine (
    channel   text not null,
    file      text not null,
    video_id  text,
    code      text not null,
    message   text not null,
    cues_kept integer not null default 0,
    cues_lost integer not null default 0,
    seen_at   timestamptz not null default now(),
    primary key (channel, file)
);

-- Texts are kept for ever, so that an old trail can be read and re-scored.
create table chunk_texts (
    channel     text not null,
    chunk_id    text not null,
    text_sha256 text not null,
    text        text not null,
    primary key (channel, chunk_id, text_sha256)
);

create table chunks (
    channel       text not null,
    chunk_id      text not null,  -- video_id:SSSSS
    video_id      text not null,
    position      integer not null,  -- order in the video
    start_seconds double precision not null,  -- start of its first cue: where a link opens
    end_seconds   double precision not null,
    text_sha256   text not null,
    spoken_text   text not null,  -- without non-speech marks: what is embedded and mined
    invented      boolean not null default false,  -- repeated text that speech recognition made over silence
    primary key (channel, chunk_id),
    foreign key (channel, video_id) references videos (channel, video_id),
    foreign key (channel, chunk_id, text_sha256) references chunk_texts (channel, chunk_id, text_sha256)
);
create index chunks_video on chunks (channel, video_id, position);

-- Snapshots of a channel, numbered c1, c2, ...
create table corpora (
    channel   text not null,
    corpus_id text not null,
    number    integer not null,
    videos    integer not null,
    chunks    integer not null,
    last_date date not null,
    made_at   timestamptz not null default now(),
    primary key (channel, corpus_id),
    unique (channel, number)
);
