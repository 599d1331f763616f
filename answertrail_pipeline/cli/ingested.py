"""What `answertrail ingest` tells: each caption file with its cues kept and lost, and the quarantine."""

from collections.abc import Sequence
from dataclasses import asdict

from answertrail_pipeline.cli.terminal import err, out, print_json, table
from answertrail_pipeline.corpus.figures import CaptionFileRow, ChannelFigures, caption_files, channel_figures
from answertrail_pipeline.corpus.figures import quarantine_rows as read_quarantine
from answertrail_pipeline.pipeline.project import Project

SHOWN = 12


def show_ingested(project: Project, channels: Sequence[str], *, as_json: bool, quiet: bool) -> bool:
    """Print how each channel stands; return whether there is anything that can be searched."""
    database = project.database
    figures = {name: channel_figures(database, name, project.channel(name)) for name in channels}
    files = {name: caption_files(database, name) for name in channels}
    if as_json:
        print_json(
            {
                name: {
                    "figures": asdict(figures[name]),
                    "files": [asdict(row) for row in files[name]],
                    "quarantine": [asdict(row) for row in read_quarantine(database, name)],
                }
                for name in channels
            }
        )
    elif not quiet:
        for name in channels:
            _print_channel(project, name, figures[name], files[name])
    return any(figures[name].chunks for name in channels)


def _print_channel(project: Project, name: str, figures: ChannelFigures, files: list[CaptionFileRow]) -> None:
    videos = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in figures.videos.items() if count)
    kept, lost = sum(row.cues_kept for row in files if row.used), sum(row.cues_lost for row in files if row.used)
    cues = f"{kept:,} cues kept, {lost:,} lost"
    out.print(f"[bold]{name}[/]: videos: {videos or 'none'}; {figures.chunks:,} chunks; {cues}")
    odd = [row for row in files if row.cues_lost or row.encoding_guessed]
    if odd:
        shown = table("file", "format", "encoding", "cues kept", "lost", "why")
        for row in odd[:SHOWN]:
            why = ", ".join(row.losses)
            encoding = f"{row.encoding} (guessed)" if row.encoding_guessed else row.encoding or ""
            shown.add_row(row.file, row.format or "?", encoding, str(row.cues_kept), str(row.cues_lost), why)
        out.print(shown)
        _more(len(odd))
    quarantine = read_quarantine(project.database, name)
    if quarantine:
        shown = table("in quarantine", "video", "reason", "message")
        for held in quarantine[:SHOWN]:
            shown.add_row(held.file, held.video_id or "", held.code, held.message)
        err.print(shown)
        _more(len(quarantine))


def _more(count: int) -> None:
    if count > SHOWN:
        out.print(f"... and {count - SHOWN} more; --json lists all.")
