"""Runs models on one runtime, one request a line, so that the runtime is imported once and a crash kills only this
process.

Request (JSON): {"model": PATH, "seeds": [0, 1, 2], "out": FOLDER, "nudge": N}
With "nudge" above 0, each float input is moved by one unit in its last place, up or down, by the N-th pattern.
Answer (JSON): {"outputs": {"0": FILE.npz, ...}} or {"error": TEXT}
For tflm, the answer has "planned", too: the bytes of the arena that the runtime's memory plan takes.

Usage: worker.py litert|onert|tflm
"""

import json
import os
import re
import sys
import tempfile

import numpy as np


def tflite_bytes(path):
    """The model as a tflite file. A circle file is unpacked and packed again, so this also checks that an independent
    reader of the format finds in the file what we wrote."""
    with open(path, "rb") as file:
        data = file.read()
    if data[4:8] == b"TFL3":
        return data
    import flatbuffers
    from circle_schema.v0_10.circle.Model import Model, ModelT

    tree = ModelT.InitFromObj(Model.GetRootAs(data, 0))
    tree.version = 3
    # BROADCAST_TO has no kernel of version 1 in LiteRT, and exporters of circle write 1.
    for code in tree.operatorCodes:
        if code.builtinCode == 130:
            code.version = max(code.version, 2)
    for buffer in tree.buffers:
        if buffer.offset > 1:
            start, size = int(buffer.offset), int(buffer.size)
            buffer.data = np.frombuffer(data, np.uint8, size, start)
            buffer.offset = buffer.size = 0
    builder = flatbuffers.Builder(len(data) + 4096)
    builder.Finish(tree.Pack(builder), file_identifier=b"TFL3")
    return bytes(builder.Output())


NUDGE = 0


def make_input(index, shape, dtype, seed):
    """The same numbers for the same seed, position, shape and type, whatever the model's inside looks like."""
    random = np.random.default_rng([seed, index, 77])
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        values = random.standard_normal(shape).astype(dtype)
        if NUDGE:
            signs = np.random.default_rng([seed, index, NUDGE, 78]).choice([-np.inf, np.inf], shape).astype(dtype)
            values = np.nextafter(values, signs)
        return values
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.itemsize <= 2 and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max + 1, shape).astype(dtype)
    if dtype.kind in "iu":
        return random.integers(0, 4, shape).astype(dtype)
    raise ValueError(f"no input of type {dtype} can be made")


def litert(path, seeds):
    from ai_edge_litert.interpreter import Interpreter

    runner = Interpreter(model_content=tflite_bytes(path), num_threads=1)
    details = runner.get_input_details()
    shapes = []
    for detail in details:
        signature = detail["shape_signature"]
        shape = [max(int(d), 1) for d in (signature if len(signature) else detail["shape"])]
        if shape != list(detail["shape"]):
            runner.resize_tensor_input(detail["index"], shape)
        shapes.append(shape)
    runner.allocate_tensors()
    for seed in seeds:
        runner.reset_all_variables()
        for index, (detail, shape) in enumerate(zip(details, shapes)):
            runner.set_tensor(detail["index"], make_input(index, shape, detail["dtype"], seed))
        runner.invoke()
        yield [np.array(runner.get_tensor(detail["index"])) for detail in runner.get_output_details()]


def onert(path, seeds):
    from onert.infer import session as onert_session
    from onert.native.libnnfw_api_pybind import prepare_config

    session = onert_session(path, "cpu")
    infos = session.get_inputs_tensorinfo()
    shapes = []
    for index, info in enumerate(infos):
        given = list(info.dims[: info.rank])
        shape = [max(int(d), 1) for d in given]
        if shape != given:
            info.dims = shape
            session.session.set_input_tensorinfo(index, info)
        shapes.append(shape)
    session.session.set_prepare_config(prepare_config.ENABLE_INTERNAL_OUTPUT_ALLOC)
    session.session.prepare()
    for seed in seeds:
        # onert reads the arrays when it runs, so they must live until then.
        arrays = [make_input(i, shape, info.dtype, seed) for i, (info, shape) in enumerate(zip(infos, shapes))]
        for index, array in enumerate(arrays):
            session.session.set_input(index, array)
        session.session.run()
        yield [np.array(session.session.get_output(i)) for i in range(session.session.output_size())]


# Enough for a plan without reuse of a network for pictures; memory is taken when it is touched.
ARENA = 256 << 20
PLANNED = {}


def tflm(path, seeds):
    from tflite_micro import runtime

    runner = runtime.Interpreter.from_bytes(tflite_bytes(path), arena_size=ARENA)
    # It tells only in print what its plan takes.
    with tempfile.TemporaryFile() as file:
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        runner.print_allocations()
        os.dup2(stderr, 2)
        os.close(stderr)
        file.seek(0)
        PLANNED["planned"] = int(re.search(rb"allocation head (\d+) bytes", file.read())[1])
    # How many inputs and outputs there are is not told.
    inputs = known(runner.get_input_details)
    for seed in seeds:
        runner.reset()
        for index, detail in enumerate(inputs):
            runner.set_input(make_input(index, detail["shape"], detail["dtype"], seed), index)
        runner.invoke()
        yield [np.array(array) for array in known(runner.get_output)]


def known(get):
    """What a function gives for 0, 1 and so on, until it refuses."""
    found = []
    try:
        while True:
            found.append(get(len(found)))
    except (IndexError, RuntimeError, ValueError):
        return found


def main():
    run = {"litert": litert, "onert": onert, "tflm": tflm}[sys.argv[1]]
    # The runtimes print to standard output; answers go to a copy of it.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        global NUDGE
        NUDGE = request.get("nudge", 0)
        try:
            files = {}
            for seed, outputs in zip(request["seeds"], run(request["model"], request["seeds"])):
                files[str(seed)] = os.path.join(request["out"], f"{seed}.npz")
                np.savez(files[str(seed)], *outputs)
            answer = {"outputs": files, **PLANNED}
        except Exception as error:  # whatever a runtime throws is the answer
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
