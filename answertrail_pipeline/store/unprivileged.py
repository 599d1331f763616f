"""Postgres refuses to run as root, so root starts it as a user without rights."""

import os
from pathlib import Path

UNPRIVILEGED = "nobody"


def _unprivileged_ids() -> tuple[int, int]:
    import pwd

    entry = pwd.getpwnam(UNPRIVILEGED)
    return entry.pw_uid, entry.pw_gid


def give_away(path: Path) -> None:
    """Give a file or folder to the unprivileged user where we are root; Postgres refuses files of others."""
    if os.geteuid() == 0:
        os.chown(path, *_unprivileged_ids())


def unprivileged_prefix(*paths: Path) -> list[str]:
    """Return the command that drops root's rights, empty where we are not root.

    Where the unprivileged user cannot enter a folder on the way (a closed home), it keeps the one capability
    to pass through folders; no folder's mode is changed.
    """
    if os.geteuid() != 0:
        return []
    uid, gid = _unprivileged_ids()
    prefix = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups"]
    parents = {parent for path in paths for parent in path.absolute().parents}
    if all(parent.stat().st_mode & 0o001 for parent in parents if parent.exists()):
        return prefix
    return [*prefix, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
