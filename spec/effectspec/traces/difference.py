"""Where two expressions of the Informal Trace Format differ first."""

from collections.abc import Mapping

from effectspec.json_value import Json
from effectspec.traces.expressions import shown


def difference(model: Json, trace: Json, place: str = "") -> str | None:
    """The place, and what each of the two has there; None if they are the same."""
    if model == trace:
        return None
    ours, theirs = _parts(model), _parts(trace)
    if ours is None or theirs is None or _tag(model) != _tag(trace):
        return f"{_at(place)} is {_plain(model)} in the model, and {_plain(trace)} in the trace"
    for name in (*ours, *theirs):
        if name not in theirs:
            return f"{_at(place + name)} is there in the model, and not in the trace"
        if name not in ours:
            return f"{_at(place + name)} is there in the trace, and not in the model"
        found = difference(ours[name], theirs[name], place + name)
        if found is not None:
            return found
    return f"{_at(place)} is in another order in the trace than in the model"


def _at(place: str) -> str:
    return place.removeprefix(".")


def _tag(expression: Json) -> Json:
    return expression.get("tag") if isinstance(expression, dict) else None


def _parts(expression: Json) -> Mapping[str, Json] | None:
    """What an expression is made up of, by where it is; None of one that stands for itself."""
    match expression:
        case {"#bigint": _} | {"#set": _} | {"#tup": _}:
            return None
        case {"tag": _, "value": value}:
            return {"": value}
        case {"#map": list(pairs)}:
            return {f"[{_plain(pair[0])}]": pair[1] for pair in pairs if isinstance(pair, list)}
        case dict():
            return {f".{name}": value for name, value in expression.items()}
        case list():
            return {f"[{at}]": value for at, value in enumerate(expression)}
        case _:
            return None


def _plain(expression: Json) -> str:
    """An expression as a message repeats it, without what only tells its type."""
    match expression:
        case {"#bigint": str(digits)}:
            return digits
        case {"tag": "None"}:
            return "nothing"
        case {"tag": "Some", "value": value}:
            return _plain(value)
        case _:
            return shown(expression)
