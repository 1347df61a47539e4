"""Does lineage survive a writer that knows nothing of it? Each circle model is annotated and optimised, then read and
written once more by flatbuffers' own object API, which lays tables out anew and leaves out what equals a default:

- with its metadata: `circle-profile verify --against ORIGIN` finds what it found before;
- without metadata: the sidecar is found to belong to it, and holds;
- with ONE's two tables alone: nothing is said to be stale;
- without metadata, after `circle-profile rebase`: what is inferred holds against the origin as well.

Usage: rewrite.py CIRCLE2CIRCLE MODEL...   (circle-profile must lie beside circle2circle)
Exit code 0 if all that holds, 1 if not, or if no model was looked at.
"""

import json
import os
import subprocess
import sys
import tempfile

import flatbuffers
from circle_schema.v0_10 import circle

# Object APIs build a Python object for each table: so many bytes take seconds.
LARGEST = 64 << 20


def module(name):
    return __import__(f"{circle.__name__}.{name}", fromlist=[name])


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    model = module("Model")
    return model.ModelT.InitFromObj(model.Model.GetRootAs(data, 0))


def save(model, path, keep):
    """Writes `model` with those of its metadata entries whose names `keep` wants."""
    model.metadata = [entry for entry in model.metadata or [] if keep(entry.name.decode())]
    builder = flatbuffers.Builder(1 << 20)
    builder.Finish(model.Pack(builder), b"CIR0")
    with open(path, "wb") as file:
        file.write(builder.Output())


def external(model):
    """Whether constants lie outside the flatbuffer, where an object API does not carry them."""
    return any(buffer.offset > 1 for buffer in model.buffers)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def findings(profile, *arguments):
    """The findings of `verify`, or its error."""
    ran = run(profile, "verify", "--format", "json", *arguments)
    if not ran.stdout:
        return [ran.stderr.strip()]
    return [f"[{f['code']}] {f['where']}: {f['text']}" for f in json.loads(ran.stdout)["findings"]]


def check(tool, profile, origin, folder):
    """What is wrong, or None if the model cannot be rewritten like this."""
    paths = {name: os.path.join(folder, name) for name in ("own", "all", "none", "tables", "rebased", "sidecar.json")}
    ran = run(tool, "-q", "--O1", "-p", "--sidecar", paths["sidecar.json"], origin, paths["own"])
    if ran.returncode != 0:
        return None
    before = findings(profile, paths["own"], "--against", origin)
    model = load(paths["own"])
    if external(model):
        return None
    for name, keep in (
        ("all", lambda _: True),
        ("tables", lambda name: name != "circle_lineage"),
        ("none", lambda _: False),
    ):
        save(model, paths[name], keep)
    wrong = [f"written anew: {f}" for f in findings(profile, paths["all"], "--against", origin) if f not in before]
    for finding in findings(profile, paths["none"], "--sidecar", paths["sidecar.json"], "--against", origin):
        if finding not in before:
            wrong.append(f"by its sidecar: {finding}")
    wrong += [f"by ONE's tables: {f}" for f in findings(profile, paths["tables"]) if f.startswith("[stale]")]
    ran = run(profile, "rebase", "-q", "--allow_loss", paths["none"], "--from", paths["own"], "-o", paths["rebased"])
    if ran.returncode != 0:
        wrong.append(f"rebase: {ran.stderr.strip()}")
    else:
        found = findings(profile, paths["rebased"], "--against", origin)
        wrong += [f"rebased: {f}" for f in found if f not in before]
    return wrong


def main():
    tool, models = sys.argv[1], sys.argv[2:]
    profile = os.path.join(os.path.dirname(tool), "circle-profile")
    looked_at = failed = left_out = 0
    for origin in models:
        if not origin.endswith(".circle") or os.path.getsize(origin) > LARGEST:
            continue
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(tool, profile, origin, folder)
        if wrong is None:
            left_out += 1
            continue
        looked_at += 1
        failed += bool(wrong)
        for line in wrong:
            print(f"FAILED {origin}: {line}")
    print(f"rewritten by another writer: {looked_at} models, {failed} failed, {left_out} not rewritten")
    sys.exit(1 if failed or not looked_at else 0)


if __name__ == "__main__":
    main()
