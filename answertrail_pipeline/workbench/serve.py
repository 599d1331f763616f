"""Starting the workbench: on 127.0.0.1, with a link that carries a token."""

from collections.abc import Callable

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.workbench.access import LOOPBACK, Access
from answertrail_pipeline.workbench.app import build_app

HOST = "127.0.0.1"
PORT = 3001


def make_access(project: Project, port: int) -> Access:
    """Return who may come in, with a new token."""
    settings = project.settings.workbench
    return Access(settings.user_header, (*LOOPBACK, *settings.hosts), f"answertrail_{port}")


def start_link(access: Access, port: int) -> str:
    """Return the address to open first."""
    base = f"http://{HOST}:{port}/"
    return base if access.user_header else f"{base}?token={access.token}"


def serve(project: Project, port: int, started: Callable[[str], None]) -> None:
    """Serve until it is stopped.

    Args:
        started: told the link, once the port is ours.

    Raises:
        UserError: the port is taken.
    """
    import socket

    import uvicorn

    access = make_access(project, port)
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise UserError(
            f"Port {port} of {HOST} cannot be used: {error.strerror}.", "Name another: --port."
        ) from error
    started(start_link(access, listening.getsockname()[1]))
    config = uvicorn.Config(
        build_app(project, access), log_level="warning", access_log=False, server_header=False, proxy_headers=False
    )
    with listening:
        uvicorn.Server(config).run(sockets=[listening])
