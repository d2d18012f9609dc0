/**
 * The Python side of a run: it imports `tool.py`, calls the entry point and tells what came of it as one JSON text.
 *
 * How an entry point is called is decided in docs/decisions/0028. The script sees no module of JavaScript: not because
 * that would be the wall (the frame is), but so that what it asks for is refused in words.
 */

/** Where a script begins, in the file system of its interpreter. */
export const HOME_DIR = "/run";
/** Where it finds the files that it is given. */
export const INPUT_DIR = `${HOME_DIR}/input`;

export const DRIVER = String.raw`
def _make():
    import asyncio, builtins, csv, datetime, decimal, inspect, io, json, linecache, os, random, sys, traceback, types

    HOME, INPUT, OUTPUT, MADE = "${HOME_DIR}", "${INPUT_DIR}", "${HOME_DIR}/output", "${HOME_DIR}/.made"
    HIDDEN = {"js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "pyodide_core", "micropip"}
    PICTURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))
    BY_NAME = {
        "settings": "settings", "options": "settings", "config": "settings",
        "inputs": "inputs", "input": "inputs", "data": "inputs", "values": "inputs",
        "input_dir": "input_dir", "input_path": "input_dir", "output_dir": "output_dir", "output_path": "output_dir",
    }

    def picture_of(data):
        for begin, kind in PICTURES:
            if data.startswith(begin):
                return kind
        head = data[:400].lstrip().lower()
        if head.startswith(b"<svg") or (head.startswith(b"<?xml") and b"<svg" in data[:2000].lower()):
            return "image/svg+xml"
        return ""

    def cell(value):
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return value if abs(value) < 2**53 else str(value)
        if isinstance(value, float):
            return value if value == value and abs(value) != float("inf") else str(value)
        if isinstance(value, (datetime.date, datetime.datetime, datetime.time, decimal.Decimal)):
            return str(value)
        return as_json(value)

    def as_json(value):
        def other(one):
            if isinstance(one, (set, frozenset)):
                return sorted(one, key=repr)
            return str(one)
        try:
            return json.dumps(value, ensure_ascii=False, indent=2, default=other)
        except (TypeError, ValueError):
            return repr(value)

    class Made:
        """What a run hands on, within its limits."""

        def __init__(self, limits):
            self.limits, self.outputs, self.files, self.bytes, self.left_out = limits, [], [], 0, []

        def add(self, output):
            if len(self.outputs) >= self.limits["outputs"]:
                self.left_out.append(output["name"])
            else:
                self.outputs.append(output)

        def text(self, name, text):
            most = self.limits["textChars"]
            self.add({"is": "text", "name": name, "text": text[:most], "cut": len(text) > most})

        def table(self, name, columns, rows):
            most = self.limits["tableRows"]
            told = [[cell(one) for one in row] for row in rows[:most]]
            self.add({"is": "table", "name": name, "columns": columns, "rows": told, "total": len(rows)})

        def data(self, name, data, path=None):
            picture = picture_of(data)
            too_large = self.bytes + len(data) > self.limits["fileBytes"]
            if too_large or len(self.files) >= self.limits["outputs"]:
                self.left_out.append(name)
                return
            if path is None:
                os.makedirs(MADE, exist_ok=True)
                path = f"{MADE}/{len(self.files)}"
                with open(path, "wb") as made:
                    made.write(data)
            self.bytes += len(data)
            shown = picture if len(data) <= self.limits["pictureBytes"] else ""
            self.add({"is": "file", "name": name, "file": len(self.files), "size": len(data), "picture": shown})
            self.files.append({"path": path, "name": name})

        def value(self, name, value):
            """One value as what it is."""
            if isinstance(value, (bytes, bytearray, memoryview)):
                data = bytes(value)
                kind = picture_of(data)
                ending = {"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif"}
                known = "." in name
                self.data(name if known else (name or "result") + ending.get(kind, ".bin"), data)
            elif isinstance(value, str):
                if picture_of(value[:2000].encode()):
                    self.data(name if name.endswith(".svg") else (name or "picture") + ".svg", value.encode())
                else:
                    self.text(name, value)
            elif isinstance(value, (list, tuple)) and value and all(isinstance(row, dict) for row in value):
                columns = list(dict.fromkeys(str(key) for row in value for key in row))
                rows = [[{str(k): v for k, v in row.items()}.get(key) for key in columns] for row in value]
                self.table(name, columns, rows)
            elif isinstance(value, (list, tuple)) and value and all(isinstance(row, (list, tuple)) for row in value):
                width = max(len(row) for row in value)
                self.table(name, None, [list(row) + [None] * (width - len(row)) for row in value])
            elif isinstance(value, (list, tuple)) and value and all(is_plain(row) for row in value):
                self.table(name, None, [[row] for row in value])
            elif is_plain(value):
                self.text(name, "" if value is None else str(value))
            else:
                self.text(name, as_json(value))

    def is_plain(value):
        plain = (bool, int, float, str, decimal.Decimal, datetime.date, datetime.time)
        return value is None or isinstance(value, plain)

    def told(made, result):
        if result is None:
            return
        if not isinstance(result, dict):
            return made.value("", result)
        facts = []
        for key, value in result.items():
            long = isinstance(value, str) and ("\n" in value or len(value) > 120 or picture_of(value.encode()))
            short = is_plain(value) and not long
            if short:
                facts.append([str(key), cell(value)])
        if facts:
            made.add({"is": "facts", "name": "", "rows": facts})
        for key, value in result.items():
            if [str(key)] not in [row[:1] for row in facts]:
                made.value(str(key), value)

    def written(made):
        """Files that the script wrote; a small CSV is shown as a table as well."""
        for folder, folders, names in os.walk(OUTPUT):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                short = os.path.relpath(path, OUTPUT)
                if os.path.getsize(path) > made.limits["fileBytes"]:
                    made.left_out.append(short)
                    continue
                with open(path, "rb") as source:
                    data = source.read()
                if name.lower().endswith((".csv", ".tsv")) and len(data) <= 1_000_000:
                    preview(made, short, data)
                elif name.lower().endswith((".txt", ".md", ".json", ".log")) and len(data) <= 100_000:
                    made.text(short, data.decode("utf-8", "replace"))
                made.data(short, data, path)

    def preview(made, name, data):
        text = data.decode("utf-8-sig", "replace")
        first = text.split("\n", 1)[0]
        mark = max(("\t", ";", ","), key=first.count)
        try:
            rows = [row for row in csv.reader(io.StringIO(text), delimiter=mark) if row]
        except csv.Error:
            return
        if len(rows) > 0:
            width = max(len(row) for row in rows)
            head = rows[0] + [""] * (width - len(rows[0]))
            made.table(name, head, [row + [""] * (width - len(row)) for row in rows[1:]])

    def failure(error, names):
        """Where and why, and the part of the traceback that is the script's own."""
        line, column = None, None
        if isinstance(error, SyntaxError) and error.filename == "tool.py":
            line, column = error.lineno, error.offset
        at, mine = error.__traceback__, None
        while at is not None:
            if at.tb_frame.f_code.co_filename == "tool.py":
                line, mine = at.tb_lineno, mine or at
            at = at.tb_next
        kind = type(error).__name__
        package = ""
        if isinstance(error, ModuleNotFoundError):
            package = (error.name or "").split(".")[0]
        told = traceback.TracebackException(type(error), error, mine)
        told.stack = traceback.StackSummary.from_list([one for one in told.stack if one.filename != "<exec>"])
        try:
            message = str(error) if not isinstance(error, KeyError) else repr(error.args[0]) if error.args else ""
        except Exception:
            message = ""
        if isinstance(error, SyntaxError):
            message = error.msg or message
        text = "".join(told.format())
        return {
            "kind": kind, "message": message[:2000], "line": line, "column": column,
            "package": package.lstrip("_"), "trace": text[-6000:],
        }

    def refuse(module):
        """Imports of the script: what is of JavaScript is not there."""
        real = builtins.__import__
        def imported(name, globals=None, locals=None, fromlist=(), level=0):
            root = name.split(".")[0]
            if level == 0 and root in HIDDEN:
                raise ModuleNotFoundError(f"No module named {root!r}", name=root)
            return real(name, globals, locals, fromlist, level)
        own = dict(vars(builtins))
        own["__import__"] = imported
        module.__dict__["__builtins__"] = own

    def arguments(function, job):
        """By the names of the parameters; what has another name gets settings, then inputs."""
        known = {
            "settings": job["settings"], "inputs": job["inputs"], "input_dir": INPUT, "output_dir": OUTPUT,
        }
        rest = [name for name in ("settings", "inputs")]
        places, words = [], {}
        parameters = list(inspect.signature(function).parameters.values())
        for one in parameters:
            which = BY_NAME.get(one.name)
            if which in rest:
                rest.remove(which)
        if len([one for one in parameters if one.name not in BY_NAME]) == 1 and len(parameters) == 1:
            rest = ["inputs"]
        for one in parameters:
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            which = BY_NAME.get(one.name)
            if which is None:
                if one.default is not one.empty or not rest:
                    continue
                which = rest.pop(0)
            if one.kind is one.KEYWORD_ONLY:
                words[one.name] = known[which]
            elif places is not None and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
                if one.kind is one.POSITIONAL_ONLY:
                    places.append(known[which])
                else:
                    words[one.name] = known[which]
        return places, words

    async def run(asked):
        job = json.loads(asked)
        # The state of the dice is part of the memory from which interpreters start.
        random.seed()
        made = Made(job["limits"])
        problem = None
        os.makedirs(INPUT, exist_ok=True)
        os.makedirs(OUTPUT, exist_ok=True)
        os.chdir(HOME)
        os.environ["HOME"] = HOME
        for name, value in (("settings.json", job["settings"]), ("input.json", job["inputs"])):
            if name not in job["files"]:
                with open(f"{INPUT}/{name}", "w", encoding="utf-8") as out:
                    json.dump(value, out, ensure_ascii=False)
        text = job["text"]
        linecache.cache["tool.py"] = (len(text), None, text.splitlines(True), "tool.py")
        module = types.ModuleType("tool")
        module.__file__ = "tool.py"
        sys.modules["tool"] = module
        try:
            refuse(module)
            exec(compile(text, "tool.py", "exec"), module.__dict__)
            function = getattr(module, job["entry"], None)
            if not callable(function):
                raise EntryMissing(job["entry"])
            places, words = arguments(function, job)
            result = function(*places, **words)
            if inspect.isawaitable(result):
                result = await result
            told(made, result)
        except SystemExit as error:
            if error.code not in (None, 0):
                problem = failure(error, job["entry"])
        except BaseException as error:
            problem = failure(error, job["entry"])
        try:
            written(made)
        except MemoryError as error:
            problem = problem or failure(error, job["entry"])
        sys.stdout.flush()
        sys.stderr.flush()
        answer = {"problem": problem, "outputs": made.outputs, "files": made.files, "left_out": made.left_out}
        return json.dumps(answer, ensure_ascii=False)

    class EntryMissing(Exception):
        pass

    return run

_run = _make()
del _make
`;
