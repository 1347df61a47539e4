"""Do passes keep what models compute? Each model is run before and after on every runtime that can run it.

For each model: with --O1, and with each pass alone that fires on it. Outputs must agree within 1e-5 of the output's
peak for floats and be identical for integers, for three seeds.

One pass cannot reach that on one model, see SENSITIVE: there, and nowhere else, the output may move by twice as much
as the original's own output moves when each input moves by one unit in its last place, measured in the same run. Such
comparisons are listed.

Usage: check.py CIRCLE2CIRCLE MODEL...
Exit code 0 if all agree, 1 if one does not.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = [0, 1, 2]
# Passes that no runtime can compare, because none runs the operator they start from. With a whole set of models all
# others must have been compared at least once.
NOT_RUNNABLE = {"fold_add_v2": "the custom operator AddV2"}
TOLERANCE = 1e-5
# LiteRT's HARD_SWISH is x * clamp(fma(x, 1/6, 1/2), 0, 1): equal in every bit on 24,000 numbers. No operator of the
# format is a fused multiply-add, so no decomposition gives those bits, and this model's output moves by 5e-5 of its
# peak when its input moves by one unit in the last place.
SENSITIVE = {("decompose_hardswish", "selfie_segmentation_landscape.tflite")}
TIMEOUT = 120


class Runtime:
    """A worker process, started again after a crash."""

    def __init__(self, name, **environment):
        self.name = name
        self.environment = environment
        self.process = None
        # All that the last run told.
        self.answer = {}

    def run(self, model, folder, nudge=0, tensors=None):
        """The outputs by seed, or a text that says why not. With `tensors`, what operators compute goes to that file."""
        os.makedirs(folder, exist_ok=True)
        if self.process is None:
            command = [sys.executable, "-W", "ignore", os.path.join(HERE, "worker.py"), self.name]
            quiet = {**os.environ, "ONERT_LOG_ENABLE": "0", "TF_CPP_MIN_LOG_LEVEL": "3", **self.environment}
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=quiet
            )
        request = {"model": os.path.abspath(model), "seeds": SEEDS, "out": folder, "nudge": nudge, "tensors": tensors}
        timer = threading.Timer(TIMEOUT, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            self.process.kill()
            self.process.wait()
            self.process = None
            return None, "the runtime crashed"
        answer = self.answer = json.loads(line)
        if "error" in answer:
            return None, answer["error"]
        loaded = {}
        for seed, path in answer["outputs"].items():
            with np.load(path) as arrays:
                loaded[seed] = [arrays[name] for name in arrays.files]
        return loaded, None


def difference(before, after):
    """What differs between two outputs, or None. The second value is the error relative to the peak."""
    if before.shape != after.shape or before.dtype != after.dtype:
        return f"{before.dtype}{list(before.shape)} became {after.dtype}{list(after.shape)}", float("inf")
    if before.dtype.kind not in "fc":
        same = np.array_equal(before, after)
        return (None, 0.0) if same else ("integers differ", float("inf"))
    finite = np.isfinite(before) & np.isfinite(after)
    if not np.array_equal(before[~finite], after[~finite], equal_nan=True):
        return "values that are not finite differ", float("inf")
    if not finite.any():
        return None, 0.0
    wide = np.complex128 if before.dtype.kind == "c" else np.float64
    peak = np.abs(before[finite].astype(wide)).max()
    error = np.abs(before[finite].astype(wide) - after[finite].astype(wide)).max()
    relative = float(error / peak) if peak else float(error)
    return (None if relative <= TOLERANCE else f"error {relative:.2e} of the peak"), relative


def compare(before, after):
    """The first difference over all seeds and outputs, and the largest relative error."""
    worst = 0.0
    for seed, outputs in before.items():
        others = after[seed]
        if len(outputs) != len(others):
            return f"{len(outputs)} outputs became {len(others)}", float("inf")
        for number, (a, b) in enumerate(zip(outputs, others)):
            text, error = difference(a, b)
            worst = max(worst, error)
            if text:
                return f"seed {seed}, output {number}: {text}", error
    return None, worst


def conditioning(runtime, model, base, folder):
    """How far the outputs move, relative to their peak, when each input moves by one unit in its last place."""
    moved = 0.0
    for nudge in range(1, 9):
        outputs, error = runtime.run(model, folder, nudge)
        if error is None:
            moved = max(moved, *(difference(a, b)[1] for seed in base for a, b in zip(base[seed], outputs[seed])))
    return moved


def is_constant(outputs):
    """Whether the outputs are the same for all seeds, so that agreeing on them proves little."""
    seeds = list(outputs.values())
    return all(all(np.array_equal(a, b, equal_nan=True) for a, b in zip(seeds[0], other)) for other in seeds[1:])


def list_passes(tool):
    listed = subprocess.run([tool, "--list_passes", "--format", "json"], capture_output=True, text=True, check=True)
    return [entry["name"] for entry in json.loads(listed.stdout)["passes"]]


def variants(tool, passes, model, folder):
    """The model after --O1, after each pass alone that fires, and rewritten without any pass."""
    for name in [None, "O1", *passes]:
        out, report = os.path.join(folder, f"{name}.circle"), os.path.join(folder, f"{name}.json")
        options = [f"--{name}"] if name else []
        command = [tool, "-q", *options, "--profiling_data", "--report", report, model, out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
        if done.returncode:
            yield name, None, done.stderr.strip()
            continue
        with open(report) as file:
            result = json.load(file)
        if result["refused"]:
            yield name, None, f"patches were refused: {result['refused'][:3]}"
        fired = sum(entry["fired"] for entry in result["passes"] if entry["name"] == name or name == "O1")
        if name in (None, "O1") or fired:
            yield name, out, None


def main():
    tool, models = sys.argv[1], sys.argv[2:]
    runtimes = [Runtime("litert"), Runtime("onert")]
    failures, compared, not_run, sensitive, worst = [], {}, [], [], 0.0
    known = list_passes(tool)
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            bases = {}
            for runtime in runtimes:
                outputs, error = runtime.run(model, os.path.join(folder, "base", runtime.name))
                if outputs is not None:
                    bases[runtime.name] = outputs
            if not bases:
                not_run.append(model)
            note = " (constant output)" if bases and all(is_constant(b) for b in bases.values()) else ""
            count = 0
            for name, path, error in variants(tool, known, model, folder):
                if error:
                    failures.append(f"{model} --{name}: {error}")
                    continue
                for runtime in runtimes:
                    if runtime.name not in bases:
                        continue
                    outputs, error = runtime.run(path, os.path.join(folder, f"{name}", runtime.name))
                    if error is None:
                        base = bases[runtime.name]
                        error, relative = compare(base, outputs)
                        if error and (name, os.path.basename(model)) in SENSITIVE:
                            allowed = 2 * conditioning(runtime, model, base, os.path.join(folder, "nudged"))
                            if relative <= allowed:
                                text = f"{relative:.2e} of the peak, allowed are {allowed:.2e}"
                                sensitive.append(f"{model} --{name} on {runtime.name}: {text}")
                                error = None
                        elif error is None:
                            worst = max(worst, relative)
                    if error:
                        failures.append(f"{model} --{name} on {runtime.name}: {error}")
                    count += 1
                    compared[name] = compared.get(name, 0) + 1
            print(f"{os.path.basename(model)}: {count} comparisons on {', '.join(bases) or 'no runtime'}{note}", flush=True)
    print("\ncomparisons by pass:")
    for name, count in sorted(compared.items(), key=lambda item: str(item[0])):
        print(f"  {name or '(rewrite only)'}: {count}")
    print(f"models that no runtime runs: {len(not_run)}" + "".join(f"\n  {m}" for m in not_run))
    print(f"largest error relative to an output's peak: {worst:.2e}")
    if any("pass-examples" in model for model in models):
        missing = [name for name in known if name not in compared and name not in NOT_RUNNABLE]
        failures.extend(f"{name} was compared on no runtime" for name in missing)
    for line in sensitive:
        print(f"badly conditioned: {line}")
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{sum(compared.values())} comparisons passed or failed, {len(failures)} failed")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
