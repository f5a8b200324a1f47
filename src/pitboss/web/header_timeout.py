"""Against slowloris: no connection takes all day over the head of a request or makes it endless.

Between two requests uvicorn's own keep-alive bounds the silence.
"""

import logging
from asyncio import TimerHandle, Transport
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

SECONDS = 10
"""For the head of a request, from its first byte or from the connection on."""

LARGEST_HEAD = 64 * 1024


_ERRORS = logging.getLogger("pitboss.http")
_ERRORS.setLevel(logging.ERROR)  # warnings there are of what strangers send


class HeaderTimeoutProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with bounds that it has not."""

    unreadable: ClassVar[int] = 0
    """How often something came that is no HTTP, on all connections."""

    _timer: TimerHandle | None = None
    """Runs while a head is awaited."""
    _head = 0
    """Bytes since then."""

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.logger = _ERRORS

    # uvicorn narrows what asyncio promises, and we follow uvicorn.
    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what is still no whole head must not be too long."""
        asked: RequestResponseCycle | None = self.cycle
        if self._timer is None and (asked is None or asked.response_complete):
            self._await_head()
        self._head += len(data)
        super().data_received(data)
        if self._timer is not None and self._head > LARGEST_HEAD:
            self.timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Count what is no HTTP: a line in the log for each would let strangers fill the disk."""
        HeaderTimeoutProtocol.unreadable += 1
        super().send_400_response(msg)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        self._have_head()
        super().on_headers_complete()

    def _await_head(self) -> None:
        self._have_head()
        self._head = 0
        self._timer = self.loop.call_later(SECONDS, self.timeout_keep_alive_handler)

    def _have_head(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
