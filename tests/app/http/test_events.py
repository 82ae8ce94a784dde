"""Server-sent events: every subscriber gets the end, and none waits for another."""

import asyncio
import json
import threading

from in_process import run_async

from azulejar.app.http import events
from azulejar.app.http.events import Hub
from azulejar.app.schemas.boards import Placed, Revision
from azulejar.app.schemas.jobs import DemoRequest, Job, LiveAssembly
from azulejar.app.schemas.people import Cursor


def job(number=1, state="running", fraction=0.0):
    return Job(job=number, request=DemoRequest(), state=state, fraction=fraction)


def live(row):
    return LiveAssembly(job=1, placed=[Placed(tile=1, panel=0, row=row)])


def parsed(chunks):
    """Events of a stream as (name, data)."""
    found = []
    for block in b"".join(chunks).decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] not in ":")
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


async def read(subscriber, until=None, heartbeat=0.5):
    """Chunks of a stream to its end, or to the first event that ``until`` likes."""
    chunks = []
    async for chunk in subscriber.stream(heartbeat):
        chunks.append(chunk)
        if until and any(until(name, data) for name, data in parsed([chunk])):
            break
    return chunks


def ended(name, data):
    return name == "job" and data["state"] == "done"


def test_fifty_watchers_all_get_the_end_of_a_job_told_from_another_thread():
    async def main():
        hub = Hub()
        subscribers = [hub.subscribe("p") for _ in range(50)]
        reading = [asyncio.create_task(read(each, ended)) for each in subscribers]

        def tell():
            for row in range(300):
                hub.publish("p", "live", live(row))
                hub.publish("p", "job", job(fraction=row / 300))
            hub.publish("p", "job", job(state="done", fraction=1))

        thread = threading.Thread(target=tell)
        thread.start()
        streams = await asyncio.wait_for(asyncio.gather(*reading), 20)
        thread.join()
        return [parsed(chunks) for chunks in streams]

    for told in run_async(main()):
        assert told[-1] == ("job", job(state="done", fraction=1).model_dump(mode="json"))


def test_for_a_slow_watcher_only_the_latest_of_each_matter_waits():
    async def main():
        hub = Hub()
        slow = hub.subscribe("p")
        for row in range(10_000):
            hub.publish("p", "live", live(row))
        hub.publish("p", "job", job(1, fraction=0.5))
        hub.publish("p", "job", job(2, state="queued"))
        await asyncio.sleep(0)
        await hub.close()
        return parsed(await read(slow))

    told = run_async(main())
    assert [(name, data["job"]) for name, data in told] == [("live", 1), ("job", 1), ("job", 2)]
    assert told[0][1]["placed"][0]["row"] == 9_999


def test_assemblies_of_a_job_that_has_ended_are_not_shown_any_more():
    async def main():
        hub = Hub()
        subscriber = hub.subscribe("p")
        hub.publish("p", "live", live(1))
        hub.publish("p", "job", job(state="stopped"))
        await asyncio.sleep(0)
        await hub.close()
        return parsed(await read(subscriber))

    assert [name for name, _ in run_async(main())] == ["job"]


def test_changes_in_hundreds_are_told_once_a_moment_later(monkeypatch):
    monkeypatch.setattr(events, "DELAY", 0.1)
    made = []

    def latest():
        made.append(1)
        return Revision(revision=len(made))

    async def main():
        hub = Hub()
        hub.publish_soon("p", {"tiles": list, "board": latest})  # nobody watches
        subscriber = hub.subscribe("p")
        for _ in range(200):
            hub.publish_soon("p", {"tiles": list, "board": latest})
        await asyncio.sleep(0.3)
        hub.publish_soon("p", {"tiles": list, "board": latest})
        await asyncio.sleep(0.3)
        await hub.close()
        return parsed(await read(subscriber))

    assert run_async(main()) == [("tiles", []), ("board", {"revision": 2})]
    assert len(made) == 2


def test_other_projects_and_those_who_left_are_not_told():
    async def main():
        hub = Hub()
        here, there, gone = hub.subscribe("p"), hub.subscribe("q"), hub.subscribe("p")
        hub.unsubscribe("p", gone)
        hub.publish("p", "board", Revision(revision=7))
        hub.publish("p", "tiles", [])
        await asyncio.sleep(0)
        await hub.close()
        gone.close()
        return [parsed(await read(each)) for each in (here, there, gone)]

    assert run_async(main()) == [[("board", {"revision": 7}), ("tiles", [])], [], []]


def test_a_comment_keeps_the_line_open():
    async def main():
        subscriber = Hub().subscribe("p")
        stream = subscriber.stream(0.01)
        return [await anext(stream) for _ in range(3)]

    assert run_async(main()) == [b": connected\n\n", b": heartbeat\n\n", b": heartbeat\n\n"]


def test_a_loop_that_is_gone_disturbs_nobody():
    hub = Hub()

    async def main():
        hub.subscribe("p")

    run_async(main())
    hub.publish("p", "board", Revision(revision=1))


def test_too_many_watchers_are_refused(monkeypatch):
    monkeypatch.setattr(events, "MOST_SUBSCRIBERS", 1)

    async def main():
        hub = Hub()
        hub.subscribe("p")
        try:
            hub.subscribe("q")
        except events.TooManyRequests as refused:
            return refused.status
        return None

    assert run_async(main()) == 429


def test_people_see_who_is_here_and_what_each_looks_at():
    async def main():
        hub = Hub()
        ana, rui = hub.subscribe("p", "Ana"), hub.subscribe("p", "Rui")
        alone = hub.subscribe("q")
        hub.move("p", "Rui", Cursor(panel=1, tiles=[7]))
        hub.drop("Rui")
        told = parsed(await read(ana, lambda name, data: len(data) == 2))
        assert told[-1] == ("people", [
            {"name": "Ana", "panel": 0, "tiles": []}, {"name": "Rui", "panel": 1, "tiles": [7]},
        ])  # fmt: skip
        await read(rui)  # the stream of somebody who is dropped ends
        hub.unsubscribe("p", rui)
        assert [each.name for each in hub.people("p")] == ["Ana"]
        alone.close()
        assert parsed(await read(alone)) == []

    run_async(main())
