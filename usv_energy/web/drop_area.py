"""Where files are dropped or chosen: one button for pointer, keyboard and screen reader."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from nicegui import events, ui

from usv_energy.web.browser_session import BrowserSession
from usv_energy.web.frame import tab_of
from usv_energy.web.guard import MOST_BYTES

MOST_FILE = MOST_BYTES - (1 << 20)      # Bytes: a request has a little beside its file.
Take = Callable[[events.UploadEventArguments], Awaitable[None]]


def drop_area(label: str, take: Take) -> ui.element:
    """
    Return the button; what is dropped on it or elsewhere on the page, or chosen after it was pressed, goes to `take`.

    The framework's own uploader does the sending, unseen: its controls lie in one another, which screen readers refuse.
    A file that is too large, or does not arrive, is told below the button.
    """
    async def taken(event: events.UploadEventArguments) -> None:
        error.set_text('')
        upload.run_method('removeUploadedFiles')    # Else it would refuse the same file a second time, silently.
        await take(event)

    with ui.element('div').classes('drop-area') as area:
        upload: ui.upload = ui.upload(on_upload=taken, on_rejected=lambda: error.set_text(
            f'a file may have at most {MOST_FILE >> 20} MiB'), max_file_size=MOST_FILE, auto_upload=True, multiple=True)
        button = ui.button(label, icon='upload_file').props('outline no-caps').classes('drop')
        error: ui.label = ui.label().classes('field-error').props('role=alert')
    upload.classes('unseen').props('aria-hidden=true').on('failed', lambda: (
        upload.reset(), error.set_text('the file did not arrive: the server is gone, or refuses it')), [])
    sender = f'getElement({upload.id}).$refs.qRef'
    button.on('click', js_handler=f'() => {sender}.pickFiles()')
    button.on('dragover.prevent', js_handler='() => {}')
    button.on('drop.prevent', js_handler=f'(event) => {sender}.addFiles(event.dataTransfer.files)')
    return area


async def dropped_file(session: BrowserSession, event: events.UploadEventArguments, endings: tuple[str, ...]) -> Path:
    """Return the path at which a dropped file lies from now on, copied piece by piece; raises as `place_for`."""
    path = session.place_for(event.file.name, event.file.size(), endings, tab_of(event.client))
    await event.file.save(path)
    return path
