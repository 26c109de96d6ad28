"""The pages as one guarded application."""

from pathlib import Path

from fastapi import FastAPI
from nicegui import app, ui

from usv_energy.web import frame
from usv_energy.web.browser_session import BrowserSessions
from usv_energy.web.guard import App, Guard
from usv_energy.web.map_tiles import serve_tiles
from usv_energy.web.map_view import serve_scripts


def guarded_pages(own: Path, token: str | None, port: int) -> App:
    """
    Return the application.

    :param own: A folder of the server's own, for what browsers drop.
    :param token: As `Guard`; so is `port`.
    """
    frame.add_pages()
    serve_scripts()
    serve_tiles()
    application = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    ui.run_with(application, title='usv_energy', favicon='⚡', dark=None, language='en-US', tailwind=False,
                reconnect_timeout=30.0, show_welcome_message=False)
    app.colors(primary='#0b5fa5')
    return Guard(application, BrowserSessions(own), token, port)
