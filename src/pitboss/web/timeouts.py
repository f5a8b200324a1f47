"""Against slowloris: no connection takes all day over the head of a request or makes it endless,
and none takes all day to read what it asked for.

Between two requests uvicorn's own keep-alive bounds the silence.
"""

import logging
from asyncio import TimerHandle, Transport
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

SECONDS = 10
"""For the head of a request, from its first byte or from the connection on."""

LARGEST_HEAD = 64 * 1024

READING_SECONDS = 15
"""In which whoever is sent more than fits between us must have read most of what waits here (48 of
64 KiB): a listener that does not read is let go."""

WHOLE = "pitboss.whole"
"""In the state of a request of which everything is here: nobody has to wait for its body."""

_ERRORS = logging.getLogger("pitboss.http")
_ERRORS.setLevel(logging.ERROR)  # warnings there are of what strangers send


class TimeoutProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with bounds that it has not."""

    unreadable: ClassVar[int] = 0
    """How often something came that is no HTTP, on all connections."""

    _awaits_head = True
    _timer: TimerHandle | None = None
    """Runs while a head is awaited that did not come whole."""
    _head = 0
    """Bytes of it, and of whatever came with it."""
    _unread: TimerHandle | None = None
    """Runs while nothing more can be sent."""

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.logger = _ERRORS

    # uvicorn narrows what asyncio promises, and we follow uvicorn.
    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None:  # where both kinds of addresses come to one socket
            self.client = (self.client[0].removeprefix("::ffff:"), self.client[1])
        self._limit_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        self._have_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Hang up where this lasts, and throw away what waits: closing would wait for it."""
        super().pause_writing()
        self._have_read()
        self._unread = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._have_read()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read on; what is still no whole head must not be too long, nor take too long."""
        asked: RequestResponseCycle | None = self.cycle
        if asked is None or asked.response_complete:
            self._await_head()
        self._head += len(data)
        super().data_received(data)
        if self._awaits_head:
            self._limit_head()
            if self._head > LARGEST_HEAD:
                self.timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Count what is no HTTP: a line in the log for each would let strangers fill the disk."""
        TimeoutProtocol.unreadable += 1
        super().send_400_response(msg)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()  # it may have been sent with the request before it

    def on_headers_complete(self) -> None:
        self._have_head()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.scope["state"][WHOLE] = True
        super().on_message_complete()

    def _await_head(self) -> None:
        if not self._awaits_head:
            self._awaits_head, self._head = True, 0

    def _limit_head(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(SECONDS, self.timeout_keep_alive_handler)

    def _have_head(self) -> None:
        self._awaits_head = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _have_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
