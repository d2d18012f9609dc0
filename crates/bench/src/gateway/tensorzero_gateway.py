"""Starts TensorZero's gateway from its wheel, over an upstream of the OpenAI protocol, and says on which port it listens.

Usage: python tensorzero_gateway.py UPSTREAM FOLDER
"""

import asyncio
import pathlib
import socket
import sys

from tensorzero.tensorzero import _start_http_gateway

upstream, folder = sys.argv[1:3]
config = pathlib.Path(folder) / "tensorzero.toml"
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
config.write_text(f"""
[gateway]
bind_address = "127.0.0.1:{port}"

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
    print(port, flush=True)
    await asyncio.Event().wait()
    del gateway


asyncio.run(main())
