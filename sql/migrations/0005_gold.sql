create table claims (
    channel    text not null,
    claim_id   text not null,  -- video_id#cNNN
    video_id   text not null,
    text       text not null,
    confidence text not null check (confidence in ('high', 'low')),
    chunk_ids  text[] not null check (cardinality(chunk_ids) > 0),
    topics     text[] not null,
    entities   text[] not null,
    flags      text[] not null default '{}',
    primary key (channel, claim_id)
);
create index claims_video on claims (channel, video_id);

-- The next number of a video's claims: an id once given is never given to another claim.
create table claim_numbers (
    channel     text not null,
    video_id    text not null,
    next_number integer not null,
    primary key (channel, video_id)
);

create table threads (
    channel    text not null,
    thread_id  text not null,
    topic      text not null,
    claim_ids  text[] not null,
    videos     integer not null,
    first_date date not null,
    last_date  date not null,
    primary key (channel, thread_id)
);

-- Proposals. What a person decided is in `adjudications`; `state` is its last word, kept here for reading.
create table questions (
    channel     text not null,
    question_id text not null,
    tier        text not null check (tier in ('factual', 'longitudinal', 'biography')),
    text        text not null,
    state       text not null default 'proposed' check (state in ('proposed', 'kept', 'cut', 'segregated')),
    unit_key    text not null default '',  -- the unit of stage `questions` that proposed it; empty where none did
    thread_id   text,
    claim_ids   text[] not null default '{}',
    chunk_ids   text[] not null default '{}',
    window_from date,
    window_to   date,
    detail      jsonb not null default '{}',
    written_by  text not null,
    primary key (channel, question_id)
);
create index questions_unit on questions (channel, unit_key);

-- What each unit of stage `questions` was made from. A small change of its claims does not re-open it, and an
-- adjudicated one is opened again only on request (the row is deleted).
create table compositions (
    channel  text not null,
    unit_key text not null,
    basis    jsonb not null,  -- hash of each claim's text, by claim id
    outcome  text not null check (outcome in ('question', 'skipped', 'rejected')),
    reason   text,
    primary key (channel, unit_key)
);

-- The draw of videos for factual questions, made once: every later upload leaves it as it is.
create table question_samples (
    channel text not null,
    name    text not null,
    seed    bigint not null,
    bins    jsonb not null,  -- video ids of each bin of time, in the order of drawing
    drawn_at timestamptz not null default now(),
    primary key (channel, name)
);

create table nuggets (
    channel     text not null,
    question_id text not null,
    nugget_id   text not null,
    kind        text not null check (kind in ('fact', 'stance', 'shift', 'no_change', 'event')),
    text        text not null,
    state       text not null default 'proposed' check (state in ('proposed', 'kept', 'cut')),
    window_text text,
    window_from date,
    window_to   date,
    claim_ids   text[] not null default '{}',
    chunk_ids   text[] not null default '{}',
    detail      jsonb not null default '{}',
    written_by  text not null,
    primary key (channel, question_id, nugget_id)
);

-- Append-only: an undo is a decision too.
create table adjudications (
    adjudication_id bigint generated always as identity primary key,
    channel     text not null,
    item_kind   text not null check (item_kind in ('question', 'nugget')),
    item_id     text not null,  -- question_id, or question_id/nugget_id
    item_sha256 text not null,  -- of the text that the person saw
    decision    text not null check (decision in ('keep', 'cut', 'segregate', 'edit', 'undo')),
    reason_code text,
    reason      text,
    new_text    text,
    old_text    text,
    new_window  text,
    old_window  text,
    undoes      bigint references adjudications (adjudication_id),
    seen        bigint,  -- the newest decision on the item that the person had before their eyes
    reviewer    text not null,
    decided_at  timestamptz not null default now()
);
create index adjudications_item on adjudications (channel, item_kind, item_id, adjudication_id);

-- Frozen sets: immutable, whole in `content` so that a version can be exported and loaded elsewhere.
create table gold_versions (
    channel        text not null,
    gold_version   text not null,
    as_of          date not null,
    corpus_id      text,
    policy         text not null,  -- `people`, or `auto` which is printed on every number
    content        jsonb not null,
    content_sha256 text not null,
    frozen_at      timestamptz not null default now(),
    primary key (channel, gold_version)
);

-- What is frozen or logged stays as it is, also against a hand at psql. Only erasing a person's data may pass: it says
-- so in its transaction (`set local answertrail.erasing = 'on'`).
create function refuse_change() returns trigger language plpgsql as $$
begin
    if current_setting('answertrail.erasing', true) = 'on' then
        if tg_op = 'DELETE' then
            return old;
        end if;
        return new;
    end if;
    raise exception using message = tg_table_name || ' is append-only';
end
$$;
create trigger gold_versions_are_frozen before update or delete on gold_versions
    for each row execute function refuse_change();
create trigger adjudications_are_appended before update or delete on adjudications
    for each row execute function refuse_change();
