from importlib.resources import files

from answertrail_pipeline.tasks.registry import all_tasks


def test_every_prompt_file_belongs_to_a_task_and_every_task_to_a_prompt_file() -> None:
    prompts = {
        path.name[:-3] for path in files("answertrail_pipeline.tasks").iterdir() if path.name.endswith(".md")
    }
    tasks = all_tasks()
    assert {task.name for task in tasks} == prompts
    assert "judge" in prompts
    assert len({task.prompt_hash for task in tasks}) == len(tasks)
    for task in tasks:
        assert len(task.system_prompt) > 100
        assert task.version
