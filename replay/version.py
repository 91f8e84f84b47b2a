"""The engine's version: part of every report, so a change of any verdict or amount needs a new one."""

__version__ = "0.1.0"

ENGINE_VERSION = __version__
