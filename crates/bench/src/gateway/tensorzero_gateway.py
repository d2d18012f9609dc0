"""Starts TensorZero's gateway from its wheel, over an upstream of the OpenAI protocol, and says on which port it listens.

Usage: python tensorzero_gateway.py UPSTREAM FOLDER
"""

import asyncio
import pathlib
import sys
from urllib.parse import urlsplit

from tensorzero.tensorzero import _start_http_gateway

upstream, folder = sys.argv[1:3]
config = pathlib.Path(folder) / "tensorzero.toml"
config.write_text(f"""
[gateway.observability]
enabled = false

[models.default]
routing = ["stub"]

[models.default.providers.stub]
type = "openai"
model_name = "m"
api_base = "{upstream}/"
""")


async def main() -> None:
    gateway = await _start_http_gateway(
        config_file=str(config), clickhouse_url=None, postgres_url=None, valkey_url=None, async_setup=True
    )
    # The wheel takes a free port, whatever address its file names.
    print(urlsplit(gateway.base_url).port, flush=True)
    await asyncio.Event().wait()
    del gateway


asyncio.run(main())
