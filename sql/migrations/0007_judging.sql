-- The judge's word on one (claim, text) pair, kept by content and never changed (docs/judging.md).
create table verdicts (
    verdict_id   text primary key,  -- hash of purpose, claim, question, text, judge (in batched mode: the whole call)
    purpose      text not null check (purpose in
                 ('recall', 'ceiling', 'grounded', 'cited', 'coverage', 'same_event', 'slot')),
    claim        text not null,
    claim_kind   text not null,
    claim_window text,  -- the time that is part of the claim, in words
    window_from  date,
    window_to    date,
    question     text,  -- what was asked: context for the judge, no evidence
    text_kind    text not null default 'answer',
    language     text not null default 'en',
    text_sha256  text not null,  -- of the judged text
    judge_id     text not null,  -- hash of prompt, model, mode and parameters
    label        text check (label in ('HIT', 'MISS')),  -- null: unscored
    reason       text,
    detail       text,  -- `contradicted` or `not_found` of the rule-based judge
    by_rule      boolean not null default false,
    unscored     text,  -- why there is no label
    raw_replies  jsonb not null default '[]',
    call_key     text,  -- the ledger's row with the reply; null where nobody was asked
    made_at      timestamptz not null default now(),
    check ((label is null) = (unscored is not null))
);

create index verdicts_text on verdicts (text_sha256, judge_id);

create table judged_texts (
    text_sha256 text primary key,
    text        text not null
);

create table judges (
    judge_id    text primary key,
    model       text not null,
    family      text,
    mode        text not null,  -- single, batched, or rules
    prompt_hash text not null,
    config      jsonb not null
);

-- Which verdict speaks for which nugget or assertion of a run.
create table run_verdicts (
    run_key     text not null,
    question_id text not null,
    purpose     text not null,
    item_id     text not null,  -- nugget_id, or the assertion's ordinal
    verdict_id  text not null references verdicts (verdict_id),
    primary key (run_key, question_id, purpose, item_id)
);

-- Why each missed stance nugget was missed; null kind: the reason could not be had.
create table miss_kinds (
    run_key     text not null,
    question_id text not null,
    nugget_id   text not null,
    kind        text check (kind in ('timing', 'substance')),
    reason      text,
    primary key (run_key, question_id, nugget_id)
);

-- Pairs drawn for people to label blind (docs/judging.md). A control is made of another question's text.
create table calibration_pairs (
    pair_id     text primary key,  -- hash of channel, purpose, claim and text: a pair is labelled once
    channel     text not null,
    verdict_id  text references verdicts (verdict_id),  -- what it was drawn by; null: a control, drawn unjudged
    purpose     text not null,
    tier        text not null,
    question_id text not null,
    stratum     text not null,  -- purpose/tier/judge's label, or purpose/tier/control
    weight      double precision not null,  -- items that it stands for: the inverse of its chance to be drawn
    negative_control boolean not null default false,
    claim       text not null,
    claim_kind  text not null,
    claim_window text,
    window_from date,
    window_to   date,
    question    text,
    text_kind   text not null,
    text_sha256 text not null references judged_texts (text_sha256),
    language    text not null default 'en',
    design      jsonb not null,
    drawn_at    timestamptz not null default now()
);
create index calibration_pairs_channel on calibration_pairs (channel, purpose);

-- What each judge says of each pair: the judge that it was drawn by, and others that were asked later.
create table pair_verdicts (
    pair_id    text not null references calibration_pairs (pair_id),
    judge_id   text not null references judges (judge_id),
    verdict_id text not null references verdicts (verdict_id),
    primary key (pair_id, judge_id)
);

-- Append-only: a person's last word on a pair counts.
create table labels (
    label_id  bigint generated always as identity primary key,
    pair_id   text not null references calibration_pairs (pair_id),
    person    text not null,
    label     text not null check (label in ('HIT', 'MISS', 'unsure')),
    reason    text,
    labelled_at timestamptz not null default now()
);

create index labels_pair on labels (pair_id, person, label_id);

-- What the labels say of each judge on each purpose.
create table calibrations (
    channel  text not null,
    judge_id text not null,
    purpose  text not null,
    content  jsonb not null,
    primary key (channel, judge_id, purpose)
);

create table metrics (
    run_key  text not null,
    tier     text not null,
    metric   text not null,
    hits     double precision,  -- whole numbers for shares; dollars, tokens for a profile
    total    double precision,
    value    double precision,
    low      double precision,
    high     double precision,
    method   text not null,
    reason   text,  -- why something is null
    detail   jsonb not null default '{}',
    primary key (run_key, tier, metric)
);

-- The scoreboard as it was last made: JSON, byte for byte.
create table scoreboards (
    channel        text primary key,
    content        text not null,
    content_sha256 text not null
);
