"""What `answertrail ingest` tells: each caption file with its cues kept and lost, and the quarantine."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

from rich.table import Table

from answertrail_pipeline.cli.terminal import err, out, print_json, table
from answertrail_pipeline.corpus.figures import CaptionFileRow, QuarantineRow, caption_files, channel_figures
from answertrail_pipeline.pipeline.project import Project

SHOWN = 12
STATES = {
    "active": "active",
    "retired": "retired",
    "quarantined": "in quarantine after better days",
    "never_readable": "in quarantine from the start",
}


def show_ingested(
    project: Project, channels: Sequence[str], *, every_file: bool, as_json: bool, quiet: bool
) -> bool:
    """Print how each channel stands; return whether there is anything that can be searched.

    Args:
        every_file: list the files that were read in full too.
    """
    database = project.database
    figures = {name: channel_figures(database, name, project.channel(name)) for name in channels}
    files = {name: caption_files(database, name) for name in channels}
    if as_json:
        shown = {}
        for name in channels:
            values = asdict(figures[name])
            quarantine = values.pop("quarantine")
            rows = [asdict(row) for row in files[name]]
            shown[name] = {"figures": values, "files": rows, "quarantine": quarantine}
        print_json(shown)
    elif not quiet:
        for name in channels:
            states = [f"{count} {STATES[state]}" for state, count in figures[name].videos.items() if count]
            said = f"videos: {', '.join(states) or 'none'}; {figures[name].chunks:,} chunks"
            out.print(f"[bold]{name}[/]: {said}; {_cues(files[name])}")
            _print_files(files[name], every_file=every_file)
            _print_quarantine(figures[name].quarantine)
    return any(figures[name].chunks for name in channels)


def _cues(files: Sequence[CaptionFileRow]) -> str:
    kept, lost = sum(row.cues_kept for row in files), sum(row.cues_lost for row in files)
    return f"{len(files)} files and tracks with {kept:,} cues kept, {lost:,} lost"


def _print_files(files: Sequence[CaptionFileRow], *, every_file: bool) -> None:
    odd = [row for row in files if row.cues_lost or row.encoding_guessed]
    chosen = files if every_file else odd[:SHOWN]
    if not chosen:
        return
    shown = table("file", "format", "encoding", "kept", "lost", "why")
    for row in chosen:
        encoding = f"{row.encoding} (guessed)" if row.encoding_guessed else row.encoding or ""
        shown.add_row(row.file, row.format or "?", encoding, str(row.cues_kept), str(row.cues_lost), _why(row))
    out.print(shown)
    if len(chosen) < len(odd):
        out.print(f"... and {len(odd) - len(chosen)} more with losses; --files lists all.")


def _why(row: CaptionFileRow) -> str:
    if not row.losses:
        return ""
    more = f" (and {len(row.losses) - 1} more like it; --json lists all)" if len(row.losses) > 1 else ""
    return f"{row.losses[0]}{more}"


def _print_quarantine(rows: Sequence[QuarantineRow]) -> None:
    """Print the quarantine, one line a reason and message: a whole folder without dates is one thing to mend."""
    if not rows:
        return
    shown: Table = table("in quarantine", "files", "why")
    by_reason = sorted(rows, key=lambda row: (row.code, row.message, row.file))
    groups = [list(group) for _, group in groupby(by_reason, key=lambda row: (row.code, row.message))]
    for group in groups[:SHOWN]:
        names = ", ".join(row.file for row in group[:3]) + (", ..." if len(group) > 3 else "")
        shown.add_row(group[0].code, f"{len(group)}: {names}", group[0].message)
    err.print(shown)
    if len(groups) > SHOWN:
        err.print(f"... and {len(groups) - SHOWN} more; --json lists all.")
