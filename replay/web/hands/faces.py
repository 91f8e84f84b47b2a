"""How tiles are drawn and read out: a picture, its rank in a corner, and words; without pictures the character."""

from dataclasses import dataclass

from replay.wording.words import Words


@dataclass(frozen=True, slots=True)
class TileView:
    """A tile to be drawn: what stands on it, what it is called, and how it is marked; ``name`` "" for its back.

    ``rank`` stands in the corner; of an honour it is the letter that those know it by who do not read its character.
    """

    name: str
    rank: str
    glyph: str
    label: str
    marks: tuple[str, ...] = ()

    @property
    def classes(self) -> str:
        """The classes of its element."""
        suit = f"tile-{self.name[1]}" if self.name else "tile-back"
        return " ".join(("tile", suit, *self.marks))

    @property
    def symbol(self) -> str:
        """Its picture in tiles.svg: suit and rank."""
        return self.name[::-1] if self.name else "back"


def face(words: Words, tile: str) -> tuple[str, str]:
    """What stands on a tile: rank and suit."""
    if not tile:
        return "", ""
    if tile[1] == "z":
        return words.say(f"table.index.{tile}"), words.say(f"board.glyph.{tile}")
    return tile[0], words.say(f"board.glyph.{tile[1]}")


def name_of(words: Words, tile: str) -> str:
    """A tile as it is read out."""
    return words.tile(tile) if tile[1:] in ("", "z") else words.say(f"board.tile.{tile[1]}", rank=tile[0])


def tile_view(words: Words, tile: str, *marks: str, label: str = "") -> TileView:
    """A tile that lies open."""
    named = name_of(words, tile)
    return TileView(tile, *face(words, tile), words.say(label, tile=named) if label else named, marks)


def back(label: str = "", *marks: str) -> TileView:
    """A tile that is not shown."""
    return TileView("", "", "", label, marks)
