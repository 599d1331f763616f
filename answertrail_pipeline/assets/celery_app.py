"""What a Celery worker loads: dagster-celery's tasks on the broker of the environment.

`dagster-celery worker start` takes the broker from a YAML file and, where that file is not nested as it expects,
silently dials a RabbitMQ on this machine. So the same app is made here, from the variable that the launcher reads.
"""

import os

from dagster_celery.config import DEFAULT_CONFIG
from dagster_celery.make_app import make_app
from dagster_celery.tasks import create_execute_job_task, create_resume_job_task

from answertrail_pipeline.assets.instance import BROKER_VARIABLE

_broker = os.environ[BROKER_VARIABLE]
# A worker takes a run only when it has a slot for it: one that waits beside an idle worker would time out.
_config = DEFAULT_CONFIG | {"worker_disable_prefetch": True}
app = make_app({"broker": _broker, "backend": _broker, "config_source": _config})
execute_job = create_execute_job_task(app)
resume_job = create_resume_job_task(app)
