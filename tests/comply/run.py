#!/usr/bin/env python3
"""Examines Debian's engines with `carom comply` and compares what fails with the findings in protocol-docs/comply.md.

    tests/comply/run.py CAROM

Fails when an engine is not installed, when a check fails that is not in the table, and when one in the table is not
found any more. Checks of time may pass or fail on a busy machine: the table marks them with `~`.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).parents[2] / "protocol-docs" / "comply.md"
# Checks that wait for what does not come would take their time; these answer in milliseconds or never.
OPTIONS = ["--json", "--timeout", "6", "--margin", "1500", "--silence", "200"]


def table():
    """(engine, protocol, numbers that fail, numbers that may fail), from the findings table of the page."""
    row = re.compile(r"^\| `([a-z-]+)` [^|]*\| (uci|xboard) \| ([^|]*) \|")
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        found = row.match(line)
        if found:
            numbers = found[3].split()
            firm = {number for number in numbers if re.fullmatch(r"[UX]\d\d", number)}
            loose = {number[1:] for number in numbers if number.startswith("~")}
            yield found[1], found[2], firm, loose


def examine(carom, engine, protocol):
    path = shutil.which(engine, path=os.environ["PATH"] + ":/usr/games")
    if path is None:
        return None, f"{engine} is not installed"
    command = [carom, "comply", *OPTIONS, "--protocol", protocol, "--", path]
    with tempfile.TemporaryDirectory() as folder:  # engines leave logs behind
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=folder)
    try:
        return json.loads(done.stdout), ""
    except ValueError:
        return None, f"{engine}: no report: {done.stderr}"


def main():
    carom = str(pathlib.Path(sys.argv[1]).resolve())
    rows = list(table())
    if len({row[0] for row in rows}) < 4:
        sys.exit("the findings table lacks engines")
    faults = []
    with concurrent.futures.ThreadPoolExecutor(len(rows)) as pool:
        reports = list(pool.map(lambda row: examine(carom, row[0], row[1]), rows))
    for (engine, protocol, firm, loose), (report, problem) in zip(rows, reports):
        if report is None:
            faults.append(problem)
            continue
        failed = {check["number"]: check["reason"] for check in report["checks"] if check["verdict"] == "fail"}
        print(f"{report['engine']} ({protocol}): {report['passed']} passed, {report['failed']} failed, "
              f"{report['skipped']} skipped: {' '.join(failed)}")
        for number in sorted(set(failed) - firm - loose):
            faults.append(f"{engine} ({protocol}) fails {number}, which is not in the table: {failed[number]}")
        for number in sorted(firm - set(failed)):
            faults.append(f"{engine} ({protocol}) no longer fails {number}")
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
