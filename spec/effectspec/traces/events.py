"""The steps of a trace, put into an order in which whole processes can do them.

Nobody sees a request on its way. So one may as well arrive as soon as it is sent, unless somebody
does something before it arrives that would turn out otherwise then.
"""

from dataclasses import dataclass

from effectspec.model.actions import (
    OWN_ACTS,
    Action,
    Advance,
    Arrive,
    Crash,
    ForgetKeys,
    ReadGate,
)
from effectspec.model.answers import Answer
from effectspec.model.world import Request, World
from effectspec.tiers import Tier
from effectspec.traces.trace import Trace


@dataclass(frozen=True, slots=True)
class Event:
    """The step of this ``number``, from 1, with the worlds before and after it in the trace."""

    number: int
    action: Action
    answer: Answer
    before: World
    after: World

    @property
    def process(self) -> str | None:
        """The process that does it, or that is answered by it."""
        match self.action:
            case Arrive(request=request):
                return request.process if self.is_heard else None
            case action if isinstance(action, (*OWN_ACTS, Crash)):
                return action.process
            case _:
                return None

    @property
    def sent(self) -> frozenset[Request]:
        """The request that it sends, if it does."""
        return self.after.network - self.before.network

    @property
    def is_heard(self) -> bool:
        """Whether it is an arrival that its sender hears of."""
        return isinstance(self.action, Arrive) and (
            self.before.process(self.action.request.process)
            != self.after.process(self.action.request.process)
        )


def in_one_go(trace: Trace) -> list[Event]:
    """The steps of a trace, where an arrival comes as soon as it is sent, or else at the end.

    Where either would make something turn out otherwise it comes when it does in the trace.
    """
    events = [
        Event(number, step.action, step.answer, trace.worlds[number - 1], step.after)
        for number, step in enumerate(trace.steps, 1)
    ]
    for event in tuple(events):
        if isinstance(event.action, Arrive):
            others = [each for each in events if each is not event]
            events = _with(others, event, event.action.request, events.index(event))
    return events


def _with(others: list[Event], arrival: Event, request: Request, came: int) -> list[Event]:
    """The other events with an arrival, which ``came`` after so many of them."""
    tier = arrival.after.entry(request.row_id).call.tool.tier
    sent = max(at for at, event in enumerate(others[:came]) if request in event.sent) + 1
    meanwhile, later = others[sent:came], others[came:]
    if _waits(meanwhile, request) and not any(_sees(each, request, tier) for each in meanwhile):
        return [*others[:sent], arrival, *others[sent:]]
    if not arrival.is_heard and not any(_sees(each, request, tier) for each in later):
        return [*others, arrival]
    return [*others[:came], arrival, *later]


def _waits(events: list[Event], request: Request) -> bool:
    """Whether the sender only waits, if not for ever; another may go by its name once it died."""
    acts = (event.action for event in events if event.process == request.process)
    return isinstance(next(acts, Crash(request.process)), Crash)


def _sees(event: Event, request: Request, tier: Tier) -> bool:
    """Whether something would turn out otherwise if the request had arrived before it."""
    match event.action:
        case Advance() | ForgetKeys():
            return tier is Tier.KEYED
        case ReadGate():
            return tier is Tier.QUERYABLE
        case Arrive(request=other):
            return tier is Tier.KEYED and other.row_id == request.row_id
        case _:
            return False
