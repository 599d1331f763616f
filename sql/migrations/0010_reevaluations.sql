-- Scheduled re-evaluation: which runs belong together, in order. Number 0 is what was scored before the first.
create table reevaluations (
    channel       text not null,
    gold_version  text not null,
    number        integer not null check (number >= 0),
    corpora       jsonb not null,  -- corpus_id by scope: `as_of` (cut at the gold's date) and `full`
    arms          jsonb not null,  -- arm_hash by arm
    repetitions   integer not null check (repetitions >= 1),
    epoch         integer not null check (epoch >= 1),
    declared_at   timestamptz not null default now(),
    primary key (channel, gold_version, number)
);

-- The series: what each arm scored in each re-evaluation, kept though its runs are later scored anew or replaced.
create table series (
    channel      text not null,
    gold_version text not null,
    number       integer not null,
    arm          text not null,
    scope        text not null check (scope in ('as_of', 'full')),
    content      jsonb not null,  -- the corpus with its size, metrics with intervals, the gate's word on each tier
    primary key (channel, gold_version, number, arm, scope),
    foreign key (channel, gold_version, number) references reevaluations (channel, gold_version, number)
);

-- How each data-quality check stood when it last ran, for a channel or for one run (run_key, else ''). What hangs on a
-- failed blocking one is not computed.
create table check_outcomes (
    channel     text not null,
    run_key     text not null default '',
    check_name  text not null,
    stage       text not null,
    passed      boolean not null,
    severity    text not null check (severity in ('warn', 'error')),
    blocking    boolean not null,
    description text not null,
    violations  integer not null,
    numbers     jsonb not null default '{}',
    examples    text[] not null default '{}',
    checked_at  timestamptz not null default now(),
    primary key (channel, run_key, check_name)
);
