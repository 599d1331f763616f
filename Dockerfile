# Two stages: the first builds a virtual environment from the hash-checked lock, the second runs it as nobody special.
FROM python:3.12-slim AS build
WORKDIR /build
RUN python -m venv /opt/answertrail
COPY requirements.lock .
RUN /opt/answertrail/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE dagster.yaml workspace.yaml ./
COPY sql sql
COPY examples/demo examples/demo
COPY examples/politnuggets examples/politnuggets
COPY answertrail_pipeline answertrail_pipeline
RUN /opt/answertrail/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /opt/answertrail/bin/pip uninstall --yes pip

FROM python:3.12-slim
# A named volume takes over the owner of the folder that it covers first.
RUN useradd --create-home --uid 10001 answertrail && install -d -o answertrail -g answertrail /data
COPY --from=build /opt/answertrail /opt/answertrail
ENV PATH=/opt/answertrail/bin:$PATH \
    ANSWERTRAIL_CONFIG=/project/answertrail.toml \
    ANSWERTRAIL_DATA_DIR=/data \
    DAGSTER_HOME=/data/dagster \
    DAGSTER_DISABLE_TELEMETRY=1 \
    ORT_DISABLE_TELEMETRY=1 \
    PYTHONUNBUFFERED=1
USER answertrail
WORKDIR /project
ENTRYPOINT ["answertrail"]
CMD ["status"]
