# Two stages: the first builds a virtual environment from the hash-checked lock, the second runs it as nobody special.
FROM python:3.12-slim AS build
WORKDIR /build
RUN python -m venv /opt/answertrail
COPY requirements.lock .
RUN /opt/answertrail/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE dagster.yaml workspace.yaml ./
COPY sql sql
COPY examples/demo examples/demo
COPY answertrail_pipeline answertrail_pipeline
RUN /opt/answertrail/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 answertrail
COPY --from=build /opt/answertrail /opt/answertrail
COPY dagster.yaml /opt/dagster/dagster.yaml
ENV PATH=/opt/answertrail/bin:$PATH \
    DAGSTER_HOME=/opt/dagster \
    DAGSTER_DISABLE_TELEMETRY=1 \
    ANSWERTRAIL_CONFIG=/project/answertrail.toml \
    PYTHONUNBUFFERED=1
USER answertrail
WORKDIR /project
ENTRYPOINT ["answertrail"]
CMD ["status"]
