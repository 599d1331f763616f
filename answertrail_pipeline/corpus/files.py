"""Files below a source's folder: listed in order, hashed as a stream, never outside of the folder."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from answertrail_pipeline.corpus.listing import Problem, unreadable
from answertrail_pipeline.errors import UserError

_BLOCK = 1 << 20


def check_folder(folder: Path) -> None:
    """Check that a source's folder can be listed.

    Raises:
        UserError: it does not exist, is no folder, or may not be read.
    """
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise UserError(f"The source {folder} {what}.", "Mend `path` of the channel's source.")
    try:
        next(iter(os.scandir(folder)), None)
    except OSError as error:
        raise UserError(
            f"The folder {folder} cannot be read: {error.strerror}.", "Check its permissions."
        ) from error


def walk(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    """Yield every regular file below a folder, ordered; hidden ones are left out.

    A symbolic link whose target lies outside of the folder is refused, as are links to folders, pipes and
    devices; a folder that cannot be read is named.
    """
    root = folder.resolve()

    def refuse(error: OSError) -> None:
        problems.append(Problem("unreadable", relative(Path(error.filename), folder), f"{error.strerror}."))

    for parent, folders, names in os.walk(folder, onerror=refuse):
        for name in [name for name in folders if (Path(parent) / name).is_symlink()]:
            folders.remove(name)
            names.append(name)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith("."):
                continue
            path = Path(parent) / name
            problem = _refusal(path, root, folder)
            if problem:
                problems.append(problem)
            else:
                yield path


def _refusal(path: Path, root: Path, folder: Path) -> Problem | None:
    name = relative(path, folder)
    if path.is_symlink():
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return Problem("broken_link", name, "A symbolic link that leads nowhere.")
        if not target.is_relative_to(root):
            return Problem(
                "link_outside",
                name,
                f"A symbolic link that leaves the folder is refused: {target}. Copy the file.",
            )
        if target.is_dir():
            return Problem("link_to_folder", name, "A symbolic link to a folder is not followed.", warning=False)
    if not path.is_file():
        return Problem("no_file", name, "Neither a file nor a folder.")
    return None


def relative(path: Path, folder: Path) -> str:
    """Return a file's name below its source, for people and for the quarantine."""
    try:
        name = path.relative_to(folder).as_posix()
    except ValueError:
        name = str(path)
    return name.encode("utf-8", "replace").decode("utf-8")


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, read as a stream; of its error where it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        return f"unreadable {error.errno}"
    return digest.hexdigest()


def read_bytes(path: Path, name: str) -> bytes:
    """Return a file's bytes.

    Raises:
        CaptionError: `unreadable`.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(f"{name} cannot be read: {error.strerror}.") from error
