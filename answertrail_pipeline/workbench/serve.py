"""Starting the workbench: on 127.0.0.1 unless told otherwise, with a link that carries a token."""

from collections.abc import Callable
from dataclasses import replace

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.workbench.access import LOOPBACK, Access
from answertrail_pipeline.workbench.app import build_app

HOST = "127.0.0.1"
PORT = 3001
MIN_TOKEN = 24


def make_access(project: Project, port: int) -> Access:
    """Return who may come in, with the configured token or a new one.

    Raises:
        UserError: the configured token can be guessed.
    """
    settings, token = project.settings.workbench, project.settings.workbench_token
    access = Access(settings.user_header, (*LOOPBACK, *settings.hosts), f"answertrail_{port}")
    if token is None:
        return access
    if len(token) < MIN_TOKEN:
        raise UserError(
            f"ANSWERTRAIL_WORKBENCH_TOKEN has {len(token)} characters; at least {MIN_TOKEN} are needed.",
            "Draw one: `openssl rand -hex 24`.",
        )
    return replace(access, token=token)


def start_link(access: Access, port: int, *, show_token: bool = True) -> str:
    """Return the address to open first; a token that somebody configured is named, not printed into a log."""
    base = f"http://{HOST}:{port}/"
    if access.user_header:
        return base
    return f"{base}?token={access.token if show_token else '$ANSWERTRAIL_WORKBENCH_TOKEN'}"


def serve(project: Project, port: int, started: Callable[[str], None], host: str = HOST) -> None:
    """Serve until it is stopped.

    Args:
        started: told the link, once the port is ours.
        host: the address to listen on; in a container all of them, and its engine publishes the port.

    Raises:
        UserError: the port is taken.
    """
    import socket

    import uvicorn

    access = make_access(project, port)
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise UserError(
            f"Port {port} of {host} cannot be used: {error.strerror}.", "Name another: --port."
        ) from error
    drawn = project.settings.workbench_token is None
    started(start_link(access, listening.getsockname()[1], show_token=drawn))
    config = uvicorn.Config(
        build_app(project, access), log_level="warning", access_log=False, server_header=False, proxy_headers=False
    )
    with listening:
        uvicorn.Server(config).run(sockets=[listening])
