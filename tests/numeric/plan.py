"""Do memory plans keep what models compute? TensorFlow Lite Micro runs each model without a plan and with several.

Kernels of that runtime give the same bits in the same order of operators, so outputs must be identical for all seeds.
A plan without any reuse must take the memory that it says, which shows that the runtime obeys plans at all.

Usage: plan.py CIRCLE_EXECUTION_PLAN MODEL...
Exit code 0 if all agree, 1 if one does not.
"""

import json
import os
import subprocess
import sys
import tempfile

from check import TIMEOUT, Runtime

# No plan of TensorFlow Lite Micro can say this, or these bytes are not known before it runs.
REFUSALS = ["subgraphs, and the runtime takes", "have no fixed size", "its size is not known"]
PLANS = {
    "best": [],
    "in place": ["--inplace"],
    "in place, reordered": ["--inplace", "--reorder"],
    "two banks": ["--bank", "small=4096", "--bank", f"large={1 << 24}"],
    "without reuse": ["--planner", "bump"],
}


def same(before, after):
    """Whether all outputs have the same bits for all seeds."""
    pairs = [pair for seed in before for pair in zip(before[seed], after[seed], strict=True)]
    return all(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in pairs)


def planned(tool, options, model, folder):
    """The model with a plan and the bytes that it says it takes, or why there is none."""
    out, report = os.path.join(folder, "planned"), os.path.join(folder, "planned.json")
    command = [tool, "-q", "--metadata", "tflm", "--stated_shapes", "--time_limit", "2", *options]
    command += ["--report", report, model, out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode:
        return None, done.stderr.strip()
    with open(report) as file:
        return out, sum(segment["size"] for segment in json.load(file)["segments"])


def main():
    tool, models = sys.argv[1], sys.argv[2:]
    runtime = Runtime("tflm")
    failures, compared, grown, refused, not_run = [], 0, 0, {}, 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            base, error = runtime.run(model, os.path.join(folder, "base"))
            if base is None:
                not_run += 1
                continue
            unplanned, taken = runtime.answer["planned"], {}
            for name, options in PLANS.items():
                path, said = planned(tool, options, model, folder)
                if path is None:
                    if any(text in said for text in REFUSALS):
                        refused.setdefault(said.splitlines()[0], []).append(name)
                    else:
                        failures.append(f"{model}, {name}: {said}")
                    continue
                outputs, error = runtime.run(path, os.path.join(folder, name))
                compared += 1
                if outputs is None:
                    failures.append(f"{model}, {name}: {error}")
                    continue
                taken[name] = runtime.answer["planned"]
                if not same(base, outputs):
                    failures.append(f"{model}, {name}: other outputs")
                # The runtime rounds each tensor up to 16 bytes and puts scratch memory where it finds room.
                if name == "without reuse":
                    grown += taken[name] > unplanned
                    if taken[name] + 16 < said:
                        failures.append(f"{model}, {name}: takes {taken[name]} bytes and not {said}")
            text = ", ".join(f"{name} {size}" for name, size in taken.items())
            print(f"{os.path.basename(model)}: {unplanned} bytes; {text or 'no plan'}", flush=True)
    print(f"models that TensorFlow Lite Micro does not run: {not_run}")
    for line, names in refused.items():
        print(f"refused ({', '.join(names)}): {line}")
    if not grown:
        failures.append("no plan without reuse took more memory than the runtime's own: are plans read at all?")
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{compared} plans run, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
