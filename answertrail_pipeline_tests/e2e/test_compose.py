"""The compose files: read by docker-compose where it is installed, refused without the secrets, hardened."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from answertrail_pipeline_tests.e2e.stack import CELERY, COMPOSE, REPOSITORY, fill_in, image_environment, services

SECRETS = {"PROJECT_DIR": "/srv/study", "POSTGRES_PASSWORD": "pw", "WORKBENCH_TOKEN": "t" * 24}
BOTH = SECRETS | {"REDIS_PASSWORD": "pw"}
ONE_SHOTS = {"migrate", "cli"}
PUBLISHED = re.compile(r"127\.0\.0\.1:\$\{\w+:-\d+\}:\d+")


def docker_compose(files: list[Path], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not on this machine (Debian: apt-get install docker-compose)")
    return subprocess.run(
        ["docker-compose", *(part for file in files for part in ("-f", str(file))), "config"],
        env={"PATH": os.environ["PATH"], **variables}, cwd=REPOSITORY, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("files", "variables"), [([COMPOSE], SECRETS), ([COMPOSE, CELERY], BOTH)])
def test_docker_compose_reads_the_files(files: list[Path], variables: dict[str, str]) -> None:
    done = docker_compose(files, variables)
    assert done.returncode == 0, done.stderr
    read = fill_in(yaml.safe_load(done.stdout)["services"], {})  # it doubles each `$` again
    ours = fill_in(services(*files), variables)
    for name, service in read.items():  # our own reading, by which the stack is started elsewhere, agrees with it
        assert service.get("command", []) == ours[name].get("command", []), name
        assert service.get("entrypoint") == ours[name].get("entrypoint"), name
        assert service["environment"] == ours[name]["environment"], name


@pytest.mark.parametrize("missing", sorted(BOTH))
def test_a_missing_secret_is_refused_and_named(missing: str) -> None:
    some = {name: value for name, value in BOTH.items() if name != missing}
    done = docker_compose([COMPOSE, CELERY], some)
    assert done.returncode != 0
    assert f"Set {missing}" in done.stderr
    with pytest.raises(ValueError, match=f"Set {missing}"):
        fill_in(services(COMPOSE, CELERY), some)


@pytest.mark.parametrize("name", sorted(services(COMPOSE, CELERY)))
def test_each_service_is_kept_alive_watched_and_without_rights(name: str) -> None:
    service: dict[str, Any] = services(COMPOSE, CELERY)[name]
    assert service["restart"] == {"migrate": "on-failure", "cli": "no"}.get(name, "unless-stopped")
    assert service["init"] is True  # reaps what a killed process leaves
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    if service["image"] == "answertrail-pipeline":
        assert "\nUSER answertrail\n" in (REPOSITORY / "Dockerfile").read_text("utf-8")
    else:
        assert service["user"] in ("postgres", "redis")
    assert name in ONE_SHOTS | {"worker"} or service["healthcheck"]["test"]
    for published in service.get("ports", ()):
        assert PUBLISHED.fullmatch(published), published  # Dagster's pages have no login


def test_no_password_stands_in_the_files_and_only_what_calls_models_has_their_keys() -> None:
    for name, service in services(COMPOSE, CELERY).items():
        for key, value in service.get("environment", {}).items():
            if "PASSWORD" in key or "TOKEN" in key or key.endswith("AUTH"):
                assert re.fullmatch(r"\$\{\w+:\?.+\}", value), (name, key)
        calls_models = name in ("code", "workbench", "cli", "worker")
        assert ("OPENAI_API_KEY" in service["environment"]) == calls_models, name


def test_what_the_image_copies_is_there_and_sent_to_the_engine() -> None:
    lines = (REPOSITORY / "Dockerfile").read_text("utf-8").splitlines()
    sources = [part for line in lines if line.startswith("COPY ") and "--from" not in line
               for part in line.split()[1:-1]]  # fmt: skip
    sent = (REPOSITORY / ".dockerignore").read_text("utf-8").split()
    for source in sources:
        assert (REPOSITORY / source).exists(), source
        assert f"!{source.split('/')[0]}" in sent, source
    assert image_environment()["ANSWERTRAIL_DATA_DIR"] == "/data"


def test_the_wheel_holds_all_that_the_image_needs_of_it() -> None:
    import tomllib

    built = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    included = built["targets"]["wheel"]["force-include"]
    copied = (REPOSITORY / "Dockerfile").read_text("utf-8")
    for source in included:
        assert re.search(rf"COPY .*\b{re.escape(source)}\b", copied), f"{source} is packed but not copied"
