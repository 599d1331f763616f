"""The notification hook against a real server on loopback."""

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from pydantic import SecretStr, ValidationError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.notify import message, notify
from answertrail_pipeline.settings import NotifySettings, load_settings


class Hook:
    """A webhook that notes what it was told and answers as the test says."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.status = 200
        self.wait = 0.0
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                hook.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                time.sleep(hook.wait)
                self.send_response(hook.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self, timeout: float = 5) -> NotifySettings:
        address = f"http://127.0.0.1:{self.server.server_port}/services/T0/SECRET"
        return NotifySettings(webhook=SecretStr(address), timeout_seconds=timeout)


@pytest.fixture
def hook() -> Iterator[Hook]:
    made = Hook()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_slack_gets_its_json(hook: Hook) -> None:
    assert notify(hook.settings(), "Run failed", ["claims: 2 <units> & more"])
    assert json.loads(hook.bodies[0]) == {"text": "*Run failed*\n• claims: 2 &lt;units&gt; &amp; more"}


def test_without_a_webhook_nobody_is_told() -> None:
    assert not notify(NotifySettings(), "Run failed")


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_webhook_that_refuses_is_logged_and_fails_nothing(
    hook: Hook, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    hook.status = status
    caplog.set_level(logging.DEBUG, "answertrail_pipeline")  # a command that ran before may have raised it
    caplog.set_level(logging.DEBUG)
    assert not notify(hook.settings(), "Run failed")
    assert f"The webhook at 127.0.0.1 answered {status}" in caplog.text
    assert "SECRET" not in caplog.text
    assert len(hook.bodies) == 1, "a redirect is not followed"


def test_a_slow_or_absent_webhook_is_given_up(hook: Hook, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "answertrail_pipeline")
    hook.wait = 2
    started = time.monotonic()
    assert not notify(hook.settings(timeout=0.2), "Run failed")
    assert time.monotonic() - started < 1.5
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        gone = NotifySettings(webhook=SecretStr(f"http://127.0.0.1:{free.getsockname()[1]}/SECRET"))
        with caplog.at_level(logging.DEBUG):
            assert not notify(gone, "Run failed")
    assert "ConnectError" in caplog.text
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize("address", ["ftp://host/x", "file:///etc/passwd", "https://user:pw@host/x", "host/x", ""])
def test_only_plain_web_addresses_are_taken(address: str) -> None:
    with pytest.raises(ValidationError, match="begins with http"):
        NotifySettings(webhook=SecretStr(address))


def test_the_environment_wins_and_no_message_repeats_the_address(tmp_path) -> None:
    path = tmp_path / "answertrail.toml"
    path.write_text('[notify]\nwebhook = "https://one.example/a"\n')
    found = load_settings(path, {"ANSWERTRAIL_WEBHOOK": "https://two.example/SECRET"})
    assert found.notify.webhook is not None
    assert found.notify.webhook.get_secret_value() == "https://two.example/SECRET"
    assert "SECRET" not in repr(found)
    with pytest.raises(UserError) as wrong:
        load_settings(path, {"ANSWERTRAIL_WEBHOOK": "ftp://two.example/SECRET"})
    assert "SECRET" not in str(wrong.value)
    path.write_text('[notify]\nwebhook = "ftp://one.example/SECRET"\n')
    with pytest.raises(UserError) as wrong:
        load_settings(path, {})
    assert "notify.webhook" in str(wrong.value)
    assert "SECRET" not in str(wrong.value)


def test_a_long_message_is_cut() -> None:
    cut = message("Run failed", [f"unit {n}: " + "x" * 500 for n in range(50)])
    assert len(cut) == 3000
    assert message("Run failed", [f"unit {n}" for n in range(50)]).endswith("• unit 19\n• and 30 more")
