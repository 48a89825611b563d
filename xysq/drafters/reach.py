"""Reach: whether a server with models answers, asked with nothing but the standard library.

A status or a doctor asks this, and a drafter after a time-out; none of them waits long for it.
"""

import http.client
import ipaddress
import json
from contextlib import closing
from urllib.parse import SplitResult, urlsplit

from xysq.frozen import frozen
from xysq.text import safe_line

USUAL_PORT = 11434
_PATIENCE_S = 2.0
_LONGEST = 4 * 1024 * 1024


@frozen
class Tags:
    """The models a server says it has; None where it does not answer, or not as one would."""

    models: tuple[str, ...] | None

    def has(self, model: str) -> bool:
        """Tell whether a model is there."""
        return self.models is not None and (model in self.models or f"{model}:latest" in self.models)


def is_loopback(host: str) -> bool:
    """Tell whether a host, as Ollama spells it, is this machine."""
    name = _split(host).hostname or "127.0.0.1"
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def reached(host: str) -> bool:
    """Tell whether anything that speaks HTTP answers at a host."""
    return _get(host, "/api/version") is not None


def tags(host: str) -> Tags:
    """Return the models on an Ollama server."""
    data = _get(host, "/api/tags")
    try:
        models = json.loads(data or b"null")["models"]
        return Tags(models=tuple(str(one["model"]) for one in models))
    except (ValueError, KeyError, TypeError):
        return Tags(models=None)


def trouble_of_ollama(host: str, model: str) -> tuple[str, str]:
    """Return what is in the way of a model on Ollama and what to type; "" where nothing is."""
    found, where = tags(host), safe_line(host) or f"127.0.0.1:{USUAL_PORT}"
    if found.models is None:
        return f"no server answers at {where}", "ollama serve"
    return ("", "") if found.has(model) else (f"the server at {where} has no model {model!r}", f"ollama pull {model}")


def trouble_of_openai(address: str) -> tuple[str, str]:
    """Return what is in the way of a server with OpenAI's protocol; "" where it answers, be it that it wants a key."""
    if _get(address.rstrip("/"), "/models") is None:
        return f"no server answers at {safe_line(address)}", "start it, or mend host in your own configuration"
    return "", ""


def _get(host: str, path: str) -> bytes | None:
    split = _split(host)
    try:
        if split.scheme == "https":
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                split.hostname or "127.0.0.1", split.port, timeout=_PATIENCE_S
            )
        else:
            port = split.port or (80 if "://" in host else USUAL_PORT)
            connection = http.client.HTTPConnection(split.hostname or "127.0.0.1", port, timeout=_PATIENCE_S)
        with closing(connection):
            connection.request("GET", split.path.rstrip("/") + path)
            return connection.getresponse().read(_LONGEST)
    except (OSError, http.client.HTTPException, ValueError):
        return None


def _split(host: str) -> SplitResult:
    return urlsplit(host if "://" in host else f"http://{host}")
