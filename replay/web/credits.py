"""Whose work the pages show beside our own, and under which licence."""

from flask import Blueprint, render_template

from replay.tiles import TILES
from replay.web.hands.faces import tile_view
from replay.web.languages import words
from replay.web.viewer import public

pages = Blueprint("credits", __name__)


@pages.get("/credits")
@public
def show() -> str:
    """The page that names the art of the tiles, who drew it, where it comes from, and its licence."""
    return render_template("credits.html", sample=[tile_view(words(), tile) for tile in TILES])
