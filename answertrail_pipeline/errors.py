"""The two kinds of failure that the product plans for; anything else is a bug and keeps its traceback."""


class UserError(Exception):
    """Something that the person can mend: named, with the value and the way out.

    Args:
        problem: what is wrong, naming the thing and its value.
        way_out: what to do about it.
    """

    def __init__(self, problem: str, way_out: str) -> None:
        super().__init__(f"{problem} {way_out}")
        self.problem = problem
        self.way_out = way_out


class UnitError(Exception):
    """One unit of work could not be done; the others go on. Its `stage_run` row becomes `error`.

    Args:
        code: short stable reason, for counting (`timeout`, `no_captions`, ...).
        message: one sentence for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
