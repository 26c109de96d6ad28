"""Where files are dropped or chosen: one button for pointer, keyboard and screen reader."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from nicegui import events, ui

from usv_energy.web.browser_session import BrowserSession

Take = Callable[[events.UploadEventArguments], Awaitable[None]]


def drop_area(label: str, take: Take) -> ui.button:
    """
    Return the button; what is dropped on it, or chosen after it was pressed, is given to `take`.

    The framework's own uploader does the sending, unseen: its controls lie in one another, which screen readers refuse.
    """
    async def taken(event: events.UploadEventArguments) -> None:
        upload.run_method('removeUploadedFiles')    # Else it would refuse the same file a second time, silently.
        await take(event)

    upload = ui.upload(on_upload=taken, auto_upload=True).classes('unseen').props('aria-hidden=true')
    sender = f'getElement({upload.id}).$refs.qRef'
    button = ui.button(label, icon='upload_file').props('outline no-caps').classes('drop')
    button.on('click', js_handler=f'() => {sender}.pickFiles()')
    button.on('dragover.prevent', js_handler='() => {}')
    button.on('drop.prevent', js_handler=f'(event) => {sender}.addFiles(event.dataTransfer.files)')
    return button


async def dropped_file(session: BrowserSession, event: events.UploadEventArguments, endings: tuple[str, ...]) -> Path:
    """Return the path at which a dropped file lies from now on, copied piece by piece; raises as `place_for`."""
    path = session.place_for(event.file.name, event.file.size(), endings)
    await event.file.save(path)
    return path
