create table videos (
    channel          text not null,
    video_id         text not null,
    kind             text not null default 'video' check (kind in ('video', 'document')),
    title            text not null,
    published_at     timestamptz not null,
    published_precision text not null check (published_precision in ('second', 'day')),
    published_source text not null,  -- the field that the date came from
    date_conflict    text,  -- other fields that name another day
    language         text not null,
    url              text,
    duration_seconds double precision,
    track            jsonb not null default '{}',  -- the caption track used, and why
    content_sha256   text not null,  -- of the track's normalized cues
    state            text not null default 'active' check (state in ('active', 'retired', 'quarantined')),
    primary key (channel, video_id)
);

-- Every caption file or track that was read, whether it is used or not.
create table caption_files (
    channel          text not null,
    video_id         text not null,
    file             text not null,
    language         text,
    automatic        boolean not null,
    format           text,  -- null: it could not be read
    encoding         text,
    encoding_guessed boolean not null,
    content_sha256   text,  -- of the track's normalized cues
    cues_kept        integer not null,
    cues_lost        integer not null,
    losses           jsonb not null default '[]',  -- what was lost and where, the first twenty
    used             boolean not null,
    primary key (channel, video_id, file)
);

-- What could not be read fully. A row goes away when a good file arrives.
create table quarantine (
    channel   text not null,
    file      text not null,
    code      text not null,
    found_in  text not null check (found_in in ('listing', 'reading')),
    video_id  text,
    message   text not null,
    cues_kept integer not null default 0,
    cues_lost integer not null default 0,
    seen_at   timestamptz not null default now(),
    primary key (channel, file, code, found_in)
);
create index quarantine_video on quarantine (channel, video_id);

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
    spoken_text   text not null,  -- without non-speech marks and invented text: what is embedded and mined; may be ''
    invented      boolean not null default false,  -- all of it is repeated text that speech recognition made up
    marks         integer not null default 0,  -- non-speech marks left out of spoken_text
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
