"""
Puts real records into the cases that schemathesis generates: without them nearly all would end in a 404.

SPECBOARD_FUZZ_ARGUMENTS is the address that answers, for the name of an operation, the arguments of a call that
succeeds, on records made for it (tools/fuzz/arguments.ts).
"""

import json
import os
import random
import urllib.request

import schemathesis

ADDRESS = os.environ["SPECBOARD_FUZZ_ARGUMENTS"]
CHOICES = random.Random(int(os.environ["SPECBOARD_FUZZ_SEED"]))


def arguments_of(operation: str) -> dict:
    with urllib.request.urlopen(f"{ADDRESS}/{operation}", timeout=60) as answer:
        return json.load(answer)


def over(real: dict, generated: dict) -> dict:
    """What is real, with about a third of what was generated over it."""
    return {**real, **{name: value for name, value in generated.items() if CHOICES.random() < 0.3}}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Three cases in four address a real record; in half of those, what was generated lies over a call that succeeds."""
    operation = case.operation.definition.raw["operationId"]
    if operation == "stream_kg_events":
        # The stream has no end, and its JSON form, which has the same events, would be waited for.
        case.headers["Accept"] = "application/json"
        case.query.pop("wait_ms", None)
    if CHOICES.random() < 0.25:
        return
    real = arguments_of(operation)
    for name in case.path_parameters or {}:
        case.path_parameters[name] = real["path"][name]
    if CHOICES.random() < 0.5:
        return
    case.query = over(real["query"], case.query or {})
    if isinstance(case.body, dict):
        case.body = over(real["body"], case.body)
