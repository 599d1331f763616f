"""Which channels somebody means."""

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.pipeline.project import Project


def chosen_channels(project: Project, channel: str) -> list[str]:
    """Return the named channel, or all that are configured where the name is empty.

    Raises:
        UserError: it is not configured, or there is none.
    """
    if channel:
        project.channel(channel)
        return [channel]
    if not project.settings.channels:
        raise UserError(f"No channel in {project.settings.config}.", "Make one with `answertrail init FOLDER`.")
    return sorted(project.settings.channels)


def one_channel(project: Project, channel: str) -> str:
    """Return the named channel, or the only one that is configured.

    Raises:
        UserError: it is not configured, or there are several and none is named.
    """
    found = chosen_channels(project, channel)
    if len(found) > 1:
        raise UserError(f"There are several channels: {', '.join(found)}.", "Name one with --channel.")
    return found[0]
