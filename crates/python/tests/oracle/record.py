"""Records what releases of Python say of each program of programs.jsonl.

    python3 crates/python/tests/oracle/record.py python3.11 python3.12 python3.13

Each line is {"text", "lines"}: the lines at which the releases that refuse it find their error, or [] where a release
compiles it. A release reads the program as a file, from bytes.
"""

import json
import pathlib
import subprocess
import sys

ORACLE = """
import json, sys, warnings
warnings.simplefilter("ignore")
def line(text):
    try:
        compile(text.encode(), "x", "exec")
    except SyntaxError as error:
        return error.lineno or 1
    except ValueError:
        return 1
    return 0
json.dump([line(text) for text in json.load(sys.stdin)], sys.stdout)
"""


def main(releases):
    path = pathlib.Path(__file__).with_name("programs.jsonl")
    texts = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
    said = []
    for release in releases:
        command = [release, "-c", ORACLE]
        answer = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
        said.append(json.loads(answer.stdout))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for text, lines in zip(texts, zip(*said)):
            lines = sorted(set(lines)) if all(lines) else []
            file.write(json.dumps({"text": text, "lines": lines}) + "\n")


main(sys.argv[1:])
