"""Are the claims of operators true? Each model is run on LiteRT, which keeps what every operator computes, before and
after passes; the judge (crates/circle-passes/examples/judge.rs) holds what operators of the result claim against what
the tensors around them hold.

For each model: with --O1, and with each pass alone that fires on it.

Usage: truth.py CIRCLE2CIRCLE JUDGE MODEL...
Exit code 0 if all claims are true, 1 if one is not, or if a pass was judged on no model, its own example included.
"""

import os
import subprocess
import sys
import tempfile

from check import NOT_RUNNABLE, Runtime, list_passes, variants


class Row:
    """What was judged of one pass."""

    def __init__(self):
        self.models = self.confirmed = self.missing = self.unfounded = self.unjudged = 0

    def add(self, lines):
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "confirmed":
                self.models += 1
                self.confirmed += int(rest)
            self.missing += word == "missing"
            self.unfounded += word == "unfounded"
            self.unjudged += word == "unjudged"

    def text(self):
        def percent(wrong):
            judged = self.confirmed + wrong
            return f"{100 * self.confirmed / judged:.1f} %" if judged else "-"

        return f"{self.models:6} {self.confirmed:9} {percent(self.missing):>9} {percent(self.unfounded):>9} {self.unjudged:9}"


def main():
    tool, judge, models = sys.argv[1], sys.argv[2], sys.argv[3:]
    # The C library fills memory with this byte, so that what was not computed can be told from what was.
    runtime = Runtime("litert", MALLOC_PERTURB_="165")
    known = list_passes(tool)
    rows = {name: Row() for name in [*known, "O1"]}
    failures, not_run, left_out, judged = [], [], [], 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            before = os.path.join(folder, "before.tensors")
            outputs, error = runtime.run(model, os.path.join(folder, "base"), tensors=before)
            if outputs is None:
                not_run.append(f"{model}: {error}")
                continue
            judged += 1
            for name, path, error in variants(tool, known, model, folder):
                if error or name is None:
                    # Faults of passes are for the comparison of numbers to tell.
                    continue
                after = os.path.join(folder, f"{name}.tensors")
                outputs, error = runtime.run(path, os.path.join(folder, name), tensors=after)
                if outputs is None:
                    failures.append(f"{model} --{name}: {error}")
                    continue
                done = subprocess.run([judge, model, before, path, after], capture_output=True, text=True, timeout=600)
                lines = done.stdout.splitlines()
                if done.returncode == 3:
                    left_out.append(f"{model} --{name}: {done.stderr.strip()}")
                    continue
                if done.returncode:
                    failures.append(f"{model} --{name}: {done.stderr.strip()}")
                wrong = [line for line in lines if line.startswith(("missing ", "unfounded "))]
                failures += [f"{model} --{name}: {line}" for line in wrong]
                left_out += [f"{model} --{name}: {line}" for line in lines if line.startswith("unjudged ")]
                rows[name].add(lines)
    print(f"{'pass':34} models     pairs    recall precision  unjudged")
    for name, row in rows.items():
        print(f"{name:34} {row.text()}")
    if any("pass-examples" in model for model in models):
        idle = [name for name in known if not rows[name].models and name not in NOT_RUNNABLE]
        failures.extend(f"{name}: nothing that it made was judged" for name in idle)
    for text in [*not_run, *left_out]:
        print(f"not judged: {text}")
    for failure in failures:
        print(f"FAILED {failure}")
    pairs = sum(row.confirmed for row in rows.values())
    unjudged = sum(row.unjudged for row in rows.values())
    if unjudged * 20 > pairs:
        failures.append(f"{unjudged} operators that passes made could not be judged")
        print(f"FAILED {failures[-1]}")
    print(f"{judged} models, {len(not_run)} that LiteRT does not run; {pairs} claims seen to be true, {len(failures)} not")
    return 1 if failures or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
