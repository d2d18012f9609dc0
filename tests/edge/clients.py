"""The clients of PyPI before the gateway, as clients.test.ts has set it up: ADDRESS ALIAS..."""

import os
import sys

import anthropic
import openai

ANSWER = "Hello, this is the answer."
SCHEMA = {"type": "object", "properties": {"type": {"type": "string"}}}


def same(got, want):
    if got != want:
        sys.exit(f"got {got!r}, want {want!r}")


def user(text):
    return [{"role": "user", "content": text}]


def ask_openai(client, model):
    create = client.chat.completions.create
    same(create(model=model, messages=user("hello")).choices[0].message.content, ANSWER)
    pieces = create(model=model, messages=user("hello"), stream=True, stream_options={"include_usage": True})
    text, used = "", None
    for piece in pieces:
        text += "".join(choice.delta.content or "" for choice in piece.choices)
        used = piece.usage or used
    same(text, ANSWER)
    same(used.completion_tokens > 0, True)
    tools = [{"type": "function", "function": {"name": "count", "parameters": SCHEMA}}]
    messages = user("count the doors")
    with client.chat.completions.stream(model=model, messages=messages, tools=tools) as stream:
        said = stream.get_final_completion().choices[0].message
    same([call.id for call in said.tool_calls], ["call_1", "call_2"])
    messages.append(said.model_dump(include={"role", "content", "tool_calls"}, exclude_none=True))
    for call in messages[-1]["tool_calls"]:
        call["function"].pop("parsed_arguments", None)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "6"})
    same(create(model=model, messages=messages, tools=tools).choices[0].message.content, "There are twelve.")
    try:
        create(model=model, messages=user("busy"))
        sys.exit("a busy model answered")
    except openai.RateLimitError:
        pass


def ask_anthropic(client, model):
    def text(message):
        return "".join(block.text for block in message.content if block.type == "text")

    asked = {"model": model, "max_tokens": 500}
    same(text(client.messages.create(messages=user("hello"), **asked)), ANSWER)
    with client.messages.stream(messages=user("hello"), **asked) as stream:
        same(text(stream.get_final_message()), ANSWER)
    asked["tools"] = [{"name": "count", "input_schema": SCHEMA}]
    messages = user("count the doors")
    with client.messages.stream(messages=messages, **asked) as stream:
        said = stream.get_final_message()
    calls = [block for block in said.content if block.type == "tool_use"]
    same([(call.id, call.input) for call in calls], [("call_1", {"type": "IfcDoor"}), ("call_2", {})])
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": "6"} for call in calls]
    messages += [{"role": "assistant", "content": said.content}, {"role": "user", "content": results}]
    same(text(client.messages.create(messages=messages, **asked)), "There are twelve.")
    try:
        client.messages.create(messages=user("busy"), model=model, max_tokens=9)
        sys.exit("a busy model answered")
    except anthropic.RateLimitError:
        pass


def main(address, *aliases):
    key = os.environ["HOLDPOINT_KEY"]
    for model in aliases:
        ask_openai(openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0), model)
        ask_anthropic(anthropic.Anthropic(base_url=address, api_key=key, max_retries=0), model)
    print("all as expected")


main(*sys.argv[1:])
