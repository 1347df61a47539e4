"""Runs models on one runtime, one request a line, so that the runtime is imported once and a crash kills only this
process.

Request (JSON): {"model": PATH, "seeds": [0, 1, 2], "out": FOLDER, "nudge": N, "tensors": FILE}
With "nudge" above 0, each float input is moved by one unit in its last place, up or down, by the N-th pattern.
With "tensors", which litert alone serves, all that operators compute is kept and written to FILE, see `Tensors`.
Answer (JSON): {"outputs": {"0": FILE.npz, ...}} or {"error": TEXT}
For tflm, the answer has "planned", too: the bytes of the arena that the runtime's memory plan takes.

Usage: worker.py litert|onert|tflm
"""

import json
import os
import re
import struct
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


# What allocated memory is filled with, and freed memory: its complement and itself. Set before the process starts.
FILL = int(os.environ.get("MALLOC_PERTURB_", 0)) & 0xFF


def is_untouched(array):
    """Whether nobody has written there since the memory was allocated, as in the body of a loop that did not run."""
    held = np.frombuffer(array.tobytes(), np.uint8)
    return bool(FILL) and held.size > 0 and any((held == fill).all() for fill in (FILL, FILL ^ 0xFF))


# So many elements of a tensor are written at most; as many more of the sorted ones.
SAMPLE = 2048


class Tensors:
    """What results of operators that are read hold, and the inputs of the main subgraph, for the judge of claims.

    The file has, for each tensor, little-endian: the numbers of subgraph and tensor and the rank (u32), the extents
    (u64), how many numbers follow twice (u64), the elements in their order and the elements sorted by size (f64), all
    seeds one after another.

    Of a large tensor, elements are taken at places that its size alone decides, and of the sorted ones evenly."""

    def __init__(self, content):
        from circle_schema.v0_10.circle.Model import Model

        model = Model.GetRootAs(content, 0)
        self.wanted = []
        for number in range(model.SubgraphsLength()):
            subgraph = model.Subgraphs(number)
            operators = [subgraph.Operators(i) for i in range(subgraph.OperatorsLength())]
            outputs = {int(op.Outputs(i)) for op in operators for i in range(op.OutputsLength())}
            inputs = {int(subgraph.Inputs(i)) for i in range(subgraph.InputsLength())}
            read = {int(op.Inputs(i)) for op in operators for i in range(op.InputsLength())}
            read.update(int(subgraph.Outputs(i)) for i in range(subgraph.OutputsLength()))
            # A loop leaves its results in the inputs of its body, and what nobody reads of them it does not compute.
            found = (outputs | inputs if number == 0 else outputs - inputs) & read
            self.wanted += [(number, tensor) for tensor in sorted(found) if tensor >= 0]
        self.held = {}

    def take(self, runner):
        for key in self.wanted:
            subgraph, tensor = key
            try:
                array = np.asarray(runner.get_tensor(tensor, subgraph))
            except (ValueError, RuntimeError):  # nothing was computed there, as in a branch that was not taken
                continue
            if array.dtype.kind not in "fiub" or is_untouched(array):
                continue
            flat = array.reshape(-1).astype(np.float64)
            places = np.arange(flat.size)
            if flat.size > SAMPLE:
                places = np.random.default_rng(flat.size).integers(0, flat.size, SAMPLE)
            spread = np.linspace(0, flat.size - 1, len(places)).astype(int)
            shape, in_order, by_size = self.held.setdefault(key, (array.shape, [], []))
            if shape != array.shape:
                del self.held[key]
                self.wanted = [other for other in self.wanted if other != key]
                continue
            in_order.append(flat[places])
            by_size.append(np.sort(flat)[spread])

    def write(self, path):
        with open(path, "wb") as file:
            for (subgraph, tensor), (shape, in_order, by_size) in self.held.items():
                count = sum(map(len, in_order))
                file.write(struct.pack("<III", subgraph, tensor, len(shape)))
                file.write(struct.pack(f"<{len(shape)}QQ", *shape, count))
                file.writelines(np.asarray(part, "<f8").tobytes() for part in (*in_order, *by_size))


def litert(path, seeds, tensors=None):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    content = tflite_bytes(path)
    # Delegates compute several operators as one and leave nothing in the tensors between them.
    plain = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES if tensors else OpResolverType.AUTO
    runner = Interpreter(
        model_content=content,
        num_threads=1,
        experimental_preserve_all_tensors=bool(tensors),
        experimental_op_resolver_type=plain,
    )
    kept = Tensors(content) if tensors else None
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
        if kept:
            kept.take(runner)
        yield [np.array(runner.get_tensor(detail["index"])) for detail in runner.get_output_details()]
    if kept:
        kept.write(tensors)


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
            more = {"tensors": request["tensors"]} if request.get("tensors") else {}
            # The runner is first: it has work to do after its last seed.
            for outputs, seed in zip(run(request["model"], request["seeds"], **more), request["seeds"]):
                files[str(seed)] = os.path.join(request["out"], f"{seed}.npz")
                np.savez(files[str(seed)], *outputs)
            answer = {"outputs": files, **PLANNED}
        except Exception as error:  # whatever a runtime throws is the answer
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
