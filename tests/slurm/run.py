#!/usr/bin/env python3
"""Matches on a cluster of one machine, disturbed as clusters disturb them, and by GNU parallel.

    python3 tests/slurm/run.py target/release/carom [--times 3] [--only requeue]

The recipes are those of protocol-docs/match.md, but for their size. Needs root on Debian; installs slurm-wlm, munge and parallel, and starts daemons of its own with ports, keys and folders of their
own, which end with it. A match is played by one runner without any disturbance. Then it is played in parts, and every part is
disturbed in the middle of its games. What `carom merge` makes of the parts must be the undisturbed match, game for game; only
clocks and dates may differ.
"""
import argparse, json, os, shutil, signal, socket, subprocess, sys, tempfile, time

PARTS = 3
PACKAGES = {"slurmctld": "slurm-wlm", "munged": "munge", "parallel": "parallel"}
# Long beyond what anything takes: reaching it means that something hangs.
WATCHDOG = 600
MATCH = """game = "alapo"
rounds = {rounds}
concurrency = 2
seed = "0c6f5a1e9d3b4872"

[[engine]]
name = "new"
cmd = "{carom}"
nodes = {nodes}

[[engine]]
name = "old"
cmd = "{carom}"
nodes = {fewer}
[engine.options]
Hash = 1

[openings]
file = "{openings}"
order = "random"
"""
SLURM = """ClusterName=carom
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmdPort={slurmd}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={munge},cred_expire=5
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def wait(what, done):
    end = time.monotonic() + WATCHDOG
    while not done():
        if time.monotonic() > end:
            sys.exit(f"waited in vain for {what}")
        time.sleep(0.05)


def output(words, **more):
    run = subprocess.run(words, text=True, capture_output=True, **more)
    if run.returncode != 0:
        sys.exit(f"{' '.join(words)}: {run.stdout}{run.stderr}")
    return run.stdout


def install():
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if missing:
        output(["apt-get", "update", "-qq"])
        output(["apt-get", "install", "-y", "-qq", *missing], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


class Cluster:
    """slurmctld and slurmd on this machine, and a munged that they trust."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        for name in ("state", "spool"):
            os.mkdir(os.path.join(folder, name))
        key, munge = os.path.join(folder, "munge.key"), os.path.join(folder, "munge.socket")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(128))
        with socket.socket() as one, socket.socket() as other:
            # Two that are free now.
            one.bind(("127.0.0.1", 0))
            other.bind(("127.0.0.1", 0))
            ports = [s.getsockname()[1] for s in (one, other)]
        conf = os.path.join(folder, "slurm.conf")
        with open(conf, "w") as file:
            file.write(SLURM.format(host=socket.gethostname().split(".")[0], ctld=ports[0], slurmd=ports[1], munge=munge,
                                    folder=folder, cpus=2 * PARTS))
        os.environ["SLURM_CONF"] = conf
        files = {name: os.path.join(folder, "munge." + name) for name in ("pid", "log", "seed")}
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge}",
                   *(f"--{name}-file={path}" for name, path in files.items()))
        wait("munged", lambda: os.path.exists(munge))
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        wait("an idle node", lambda: "idle" in subprocess.run(
            ["sinfo", "-h", "-o", "%t"], text=True, capture_output=True).stdout)

    def start(self, *words):
        log = open(os.path.join(self.folder, words[0] + ".out"), "w")
        self.daemons.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def end(self):
        subprocess.run(["scancel", "--signal=KILL", "--full", "-u", "root"], capture_output=True)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            daemon.wait()


def recipes(carom):
    """The job for Slurm and the line for GNU parallel that match.md tells, for PARTS parts on this machine."""
    with open("protocol-docs/match.md", encoding="utf-8") as file:
        blocks = [block.split("```")[0] for block in file.read().split("```sh\n")[1:]]
    [job] = [block for block in blocks if "#SBATCH" in block]
    [line] = [block.replace("\\\n", " ").split("\n")[0] for block in blocks if block.startswith("parallel ")]

    def changed(text, *changes):
        for old, new in changes:
            assert old in text, f"match.md lacks `{old}` in {text}"
            text = text.replace(old, new)
        return text

    # The number of the process is for the test that kills it.
    job = changed(job, ("1-64", f"1-{PARTS}"), ("/64", f"/{PARTS}"), ("#SBATCH ", "#SBATCH --output=out%a.txt "),
                  ("exec carom", f"echo $$ >pid$SLURM_ARRAY_TASK_ID\nexec {carom}"))
    line = changed(line, ("-S host1,host2,host3 --return part{}.jsonl --cleanup", ""), ("/12", f"/{PARTS}"),
                   ("$(seq 12)", f"$(seq {PARTS})"), ("carom match", f"{carom} match"))
    return job, line.removeprefix("parallel ")


def games(path):
    """The games of a journal by number, without clocks and dates."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in list(file)[1:]:
            # The line that is just written.
            if line.endswith("\n"):
                game = json.loads(line)
                del game["date"]
                # Score and depth, and nodes; not the microseconds, nor what clocks show.
                game["turns"] = [[text, side, info and [info[0], info[4]]] for text, side, info in game["turns"]]
                assert game["number"] not in found, f"{path}: game {game['number']} twice"
                found[game["number"]] = game
    return found


class Run:
    """The match in parts in a folder of its own."""

    def __init__(self, carom, folder, given):
        self.carom, self.folder, self.rounds = carom, folder, given.rounds
        os.mkdir(folder)
        openings = os.path.abspath("fixtures/openings/alapo.epd")
        with open(self.path("match.toml"), "w") as file:
            file.write(MATCH.format(rounds=given.rounds, carom=carom, openings=openings, nodes=given.nodes,
                                    fewer=2 * given.nodes // 5))
        with open(self.path("job.sh"), "w") as file:
            job, self.parallel = recipes(carom)
            file.write(job)

    def path(self, name):
        return os.path.join(self.folder, name)

    def played(self, part):
        path = self.path(f"part{part}.jsonl")
        return len(games(path)) if os.path.exists(path) and os.path.getsize(path) else 0

    def submit(self, parts=None):
        chosen = [f"--array={','.join(map(str, parts))}"] if parts else []
        return output(["sbatch", "--parsable", *chosen, "job.sh"], cwd=self.folder).strip()

    def in_the_middle(self):
        """Waits until every part has begun, and some game is over."""
        parts = range(1, PARTS + 1)

        def in_the_middle():
            refused = [line for part in parts if os.path.exists(self.path(f"out{part}.txt"))
                       for line in open(self.path(f"out{part}.txt")) if line.startswith("carom: ")]
            assert not refused, refused
            begun = all(os.path.exists(self.path(f"part{part}.jsonl")) for part in parts)
            return begun and any(self.played(part) for part in parts)

        wait("a finished game", in_the_middle)

    def unfinished(self):
        share = 2 * self.rounds // PARTS
        return [part for part in range(1, PARTS + 1) if self.played(part) < share]

    def given_up(self):
        """How often a runner said that it gave a game up."""
        texts = (open(self.path(f"out{part}.txt")).read() for part in range(1, PARTS + 1))
        return sum(text.count(" was given up: it is not counted") for text in texts)

    def merged(self):
        words = [self.carom, "merge", *(f"part{part}.jsonl" for part in range(1, PARTS + 1)),
                 "--journal", "all.jsonl", "--pgnout", "all.pgn"]
        report = output(words, cwd=self.folder)
        pgn = open(self.path("all.pgn")).read()
        return games(self.path("all.jsonl")), report, pgn


def state(job):
    """The states of all tasks of a job that Slurm still knows."""
    return set(output(["squeue", "-h", "-t", "all", "-r", "-j", job, "-o", "%T"]).split())


def ended(job):
    wait(f"the end of job {job}", lambda: not state(job) & {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING"})
    return state(job)


def running(job):
    return lambda: "RUNNING" in state(job)


def complete(job):
    states = ended(job)
    assert states == {"COMPLETED"}, states


def requeue(run):
    job = run.submit()
    run.in_the_middle()
    left = run.unfinished()
    for part in left:
        output(["scontrol", "requeue", f"{job}_{part}"])
    complete(job)
    return left, True


def scancel(run):
    job = run.submit()
    run.in_the_middle()
    left = run.unfinished()
    output(["scancel", job])
    ended(job)
    complete(run.submit(left))
    return left, True


def kill(run):
    job = run.submit()
    run.in_the_middle()
    left = run.unfinished()
    for part in left:
        os.kill(int(open(run.path(f"pid{part}")).read()), signal.SIGKILL)
    assert "FAILED" in ended(job), state(job)
    # Slurm does not requeue what has failed by itself.
    for part in left:
        output(["scontrol", "requeue", f"{job}_{part}"])
    complete(job)
    return left, False


def time_limit(run):
    job = run.submit()
    run.in_the_middle()
    left = run.unfinished()
    for part in left:
        # A minute is the shortest limit that can be asked for. Slurm refuses an end that has passed when it reads it.
        output(["scontrol", "update", f"JobId={job}_{part}", "EndTime=now+2seconds"])
    states = ended(job)
    assert "TIMEOUT" in states, states
    # Slurm looks at the clock twice a minute: some may have come to their end.
    left = run.unfinished()
    for part in left:
        output(["scontrol", "requeue", f"{job}_{part}"])
    complete(job)
    return left, True


def parallel(run):
    """GNU parallel, by a time limit of its own, and then to the end."""
    with open(run.path("parallel.txt"), "w") as log:
        line = f"parallel -j{PARTS} --timeout {run.whole / 6:.1f} {run.parallel}"
        cut_off = subprocess.run(line, shell=True, cwd=run.folder, stdout=log, stderr=log)
    assert cut_off.returncode != 0, "nothing was cut off"
    left = run.unfinished()
    output(["sh", "-c", f"parallel -j2 {run.parallel}"], cwd=run.folder)
    assert "disconnect" not in open(run.path("parallel.txt")).read()
    return left, False


DISTURBANCES = {"requeue": requeue, "scancel": scancel, "kill": kill, "time-limit": time_limit, "parallel": parallel}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("carom")
    arguments.add_argument("--times", type=int, default=1, help="how often each disturbance is tried")
    arguments.add_argument("--only", action="append", choices=DISTURBANCES, help="only this one")
    arguments.add_argument("--rounds", type=int, default=12, help="a round is two games")
    arguments.add_argument("--nodes", type=int, default=80000, help="how long games last; the other engine has two fifths")
    given = arguments.parse_args()
    if given.rounds % PARTS:
        sys.exit(f"--rounds must be a multiple of {PARTS}")
    carom = os.path.abspath(given.carom)
    install()
    with tempfile.TemporaryDirectory(prefix="carom-slurm-") as folder:
        # munged wants to be reachable for everybody.
        os.chmod(folder, 0o755)
        whole = Run(carom, os.path.join(folder, "whole"), given)
        begun = time.monotonic()
        output([carom, "match", "-config", "match.toml", "-journal", "single.jsonl", "-quiet"], cwd=whole.folder)
        took = time.monotonic() - begun
        expected = games(whole.path("single.jsonl"))
        assert len(expected) == 2 * given.rounds
        summary = output([carom, "merge", "single.jsonl", "--journal", "all.jsonl", "--pgnout", "all.pgn"], cwd=whole.folder)
        print(f"whole: {len(expected)} games, {took:.0f} s\n{summary}", end="", flush=True)
        cluster = Cluster(folder)
        try:
            for number in range(given.times):
                for name in given.only or DISTURBANCES:
                    begun = time.monotonic()
                    run = Run(carom, os.path.join(folder, f"{name}-{number}"), given)
                    run.whole = took
                    left, gives_up = DISTURBANCES[name](run)
                    found, report, pgn = run.merged()
                    wrong = [number for number in expected if found.get(number) != expected[number]]
                    assert not wrong and len(found) == len(expected), f"{name}: games {wrong} differ: {report}"
                    assert "disconnect" not in report and "disconnect" not in pgn, f"{name}: {report}"
                    assert left, f"{name}: nothing was left to disturb"
                    # What was disturbed is seen to have been, or nothing would have been tried.
                    given_up = run.given_up() if gives_up else None
                    assert given_up != 0, f"{name}: no game was given up"
                    print(f"{name}: {len(found)} games as in the whole match; parts {left} disturbed, "
                          f"{given_up} games given up, {time.monotonic() - begun:.0f} s", flush=True)
        except BaseException:
            for log in ("slurmctld.log", "slurmd.log", "munged.out"):
                path = os.path.join(folder, log)
                if os.path.exists(path):
                    print(f"=== {log}", *open(path, errors="replace").readlines()[-30:], sep="\n", file=sys.stderr)
            raise
        finally:
            cluster.end()


main()
