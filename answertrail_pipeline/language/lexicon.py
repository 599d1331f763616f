"""Small general word lists of the rule-based judge: words that say the same, opposites, and words of reporting.

Written by hand from ordinary English, not from any test data. Other languages have none: there only stems count.
"""

from functools import cache

from answertrail_pipeline.language.tokens import tokens

_SAME = """
    improve improvement boost enhance gain better increase rise grow growth jump climb raise higher exceed
    decrease decline drop fall reduce reduction shrink lower less diminish cut down
    remove eliminate delete discard drop rid
    use utilize employ apply leverage rely usage
    show demonstrate reveal illustrate indicate prove
    find discover identify detect observe
    make create build construct produce generate develop
    publish release launch unveil introduce announce
    start begin launch initiate
    end finish conclude complete stop
    big large huge massive enormous giant great
    small tiny little minor marginal
    fast quick rapid speed
    slow sluggish
    cheap inexpensive
    cost price expense
    hard difficult challenging tough complex complicated
    easy simple straightforward
    outperform beat surpass exceed better
    achieve reach attain get obtain hit score come
    need require must necessary
    help assist support aid
    fail failure unable cannot
    think believe consider opinion view
    method approach technique strategy way
    problem issue challenge difficulty
    result outcome finding
    model system
    data dataset sample
    test benchmark evaluation evaluate assess
    train training trained
    study paper publication research article work
    company firm business
    person people human man woman
    doctor physician
    kid child children
    buy purchase acquire
    sell sale
    job role position post
    appoint elect name become
    leave resign quit depart
    car vehicle automobile
    movie film
    university college
    main key core central major primary important
    exact precise accurate accuracy
    wrong incorrect mistake error
    different distinct differ
    same identical equal
    almost nearly close approximately about roughly around
    entire complete whole full total fully entirely completely
    initial first early
    final last
    combine merge join mix
    separate split divide
    choose select pick
    change shift move alter
    solve solution
    answer reply respond response
    repeat again
    compare comparison versus relative
    cause lead trigger result
    often frequent frequently
"""
_OPPOSITE = """
    increase:decrease rise:fall higher:lower high:low better:worse best:worst longer:shorter
    long:short larger:smaller large:small bigger:smaller faster:slower fast:slow cheaper:expensive strong:weak
    stronger:weaker easy:hard easier:harder success:failure succeed:fail win:lose won:lost accept:reject
    optimistic:pessimistic optimistic:skeptical true:false correct:incorrect
    possible:impossible reliable:unreliable able:unable gain:loss grow:shrink
    improve:worsen support:oppose enable:disable allow:forbid inside:outside above:below
    maximum:minimum hot:cold buy:sell positive:negative linear:quadratic linearly:quadratically enter:leave
    add:remove agree:disagree safe:dangerous public:private
"""
_REPORTING = """
    creator author speaker host narrator presenter researcher scientist paper study publication article video
    transcript source state say tell claim argue suggest report note mention explain describe express conclude
    conclusion find finding found emphasize highlight point believe think view accord finds fascinating
    characterize warn pose recall
"""


@cache
def same() -> dict[str, frozenset[str]]:
    """Return, by stem, the stems that say about the same, itself included."""
    found: dict[str, set[str]] = {}
    for line in _SAME.strip().splitlines():
        stems = set(tokens(line, "en"))
        for stem in stems:
            found.setdefault(stem, set()).update(stems)
    return {stem: frozenset(stems) for stem, stems in found.items()}


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Return, by word in lower case, its opposites."""
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITE.split():
        one, other = pair.split(":")
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(words) for word, words in found.items()}


@cache
def reporting() -> frozenset[str]:
    """Return the stems that only say who says something: they ask for nothing in the text."""
    return frozenset(tokens(_REPORTING, "en"))
