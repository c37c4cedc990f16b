"""Writing all of something to one file descriptor, and knowing that it was written (D-8)."""

import asyncio
import os
import select
import threading


async def written(fd: int, text: bytes) -> bool:
    """Whether all of ``text`` was taken by the file behind ``fd``.

    A full pipe is waited for, for as long as it takes. A caller that is cancelled is released at
    once: the write goes on by itself, and nobody hears of its end.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bool] = loop.create_future()

    def tell(outcome: bool) -> None:  # noqa: FBT001  (what a callback is given)
        if not done.done():
            done.set_result(outcome)

    def work() -> None:
        outcome = _write(fd, text)
        try:
            loop.call_soon_threadsafe(tell, outcome)
        except RuntimeError:
            return  # the loop is closed, and with it whoever asked

    # No pool: the interpreter would wait for its threads, and so for a reader who never reads.
    threading.Thread(target=work, daemon=True).start()
    return await done


def _write(fd: int, text: bytes) -> bool:
    left = memoryview(text)
    while left:
        try:
            left = left[os.write(fd, left) :]
        except BlockingIOError:
            select.select([], [fd], [])
        except OSError:
            return False
    return True
