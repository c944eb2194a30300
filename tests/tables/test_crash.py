"""A server that is killed in the middle of a match: every table goes on at the same decision."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from speeltafel.tables import Store, Tables

SERVER = """
import sys
from speeltafel.tables import Bot, Human, Store, Tables

tables = Tables(Store(sys.argv[1]))
id = tables.create("ann", "upordown", [Human("Ann"), Bot("random")], first=0, pace="instant")
print(id, flush=True)
while True:
    table = tables.table(id)
    if table.acting("ann") is None:
        tables.run_due()
    else:
        tables.play(id, "ann", None, table.version, table.match.legal_texts()[-1])
    print(tables.version(id), tables.table(id).match.entries[-1].text, sep=":", flush=True)
"""


def test_a_killed_server_loses_nothing_it_has_shown(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(database)], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as server:
        assert server.stdout is not None
        id = server.stdout.readline().strip()
        shown = [server.stdout.readline().strip() for _ in range(23)]
        server.kill()
        shown += server.stdout.read().split("\n")
    shown = [line for line in shown if ":" in line]
    clock = [0.0]
    tables = Tables(Store(database), clock=lambda: clock[0])
    table = tables.table(id)
    assert table.match is not None
    assert table.version >= int(shown[-1].split(":")[0])
    texts = [entry.text for entry in table.match.entries]
    assert [line.split(":")[1] for line in shown] == texts[: len(shown)]
    assert len(texts) - len(shown) <= 1
    clock[0] = 4e9  # long after, so that a claim of the killed server has lapsed
    for _ in range(10):
        table = tables.table(id)
        if table.acting("ann") is None:
            assert tables.run_due() == 1
        else:
            assert table.match is not None
            tables.play(id, "ann", None, table.version, table.match.legal_texts()[0])
    table = tables.table(id)
    assert table.match is not None
    assert len(table.match.entries) == len(texts) + 10
