"""The rules as somebody might get them wrong: each takes the contract and gives it with one fault.

Every one is a mistake that has been made or argued for; :mod:`effectspec.faults` says what it
leads to and who notices.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from enum import Enum

from effectspec import admission, budget, gate, journaling, retention, settlement, tiers
from effectspec.admission import Age, Bearing, Completion, Facts, Hold, Likeness, Place
from effectspec.attention import ExitCode
from effectspec.budget import BudgetVerdict
from effectspec.contract import Contract
from effectspec.digest import DIGEST_VERSION, digest, hashed
from effectspec.gate import GateRead, GateVerdict, Lookup, Standing
from effectspec.journaling import CallShape, Origin, ToolKind
from effectspec.json_value import Json
from effectspec.lifecycle import Resolution, State
from effectspec.ownership import OwnerSign
from effectspec.projection import REDACTED, projection
from effectspec.retention import RunPhase
from effectspec.settlement import Outcome, Settlement, Writer
from effectspec.tiers import Tier

SUFFIX = 4
"""Characters of a credential that a pattern leaves which stops too early."""

PREVIEW = 512
"""Characters at which a preview cuts a string."""


def _gate_cell(
    contract: Contract, standing: Standing, tier: Tier, verdict: GateVerdict
) -> Contract:
    def wrong(record: Standing, effective: Tier) -> GateVerdict:
        return verdict if (record, effective) == (standing, tier) else gate.gate(record, effective)

    return replace(contract, gate=wrong)


def opaque_effect_retried(contract: Contract) -> Contract:
    """An unresolved tier 3 effect is sent again."""
    return _gate_cell(contract, Standing.UNRESOLVED, Tier.OPAQUE, GateVerdict.RETRY)


def queryable_effect_retried(contract: Contract) -> Contract:
    """An unresolved tier 2 effect is sent again instead of looked up."""
    return _gate_cell(contract, Standing.UNRESOLVED, Tier.QUERYABLE, GateVerdict.RETRY)


def committed_is_a_green_light(contract: Contract) -> Contract:
    """A committed effect without a result does not block its node."""
    return _gate_cell(contract, Standing.COMMITTED_UNRETAINED, Tier.OPAQUE, GateVerdict.REDELIVER)


def unretained_opaque_retried(contract: Contract) -> Contract:
    """A committed tier 3 effect without its result is sent again."""
    return _gate_cell(contract, Standing.COMMITTED_UNRETAINED, Tier.OPAQUE, GateVerdict.RETRY)


def retained_results_are_sent_for(contract: Contract) -> Contract:
    """A committed effect is sent again although its result is there."""

    def wrong(record: Standing, tier: Tier) -> GateVerdict:
        retained = record is Standing.COMMITTED_RETAINED
        return GateVerdict.RETRY if retained else gate.gate(record, tier)

    return replace(contract, gate=wrong)


def no_receipt_is_absence(contract: Contract) -> Contract:
    """A look-up that finds nothing is taken to say that nothing happened."""

    def after_lookup(lookup: Lookup) -> GateVerdict:
        return GateVerdict.RETRY if lookup is Lookup.NOTHING else gate.after_lookup(lookup)

    def bearing(row: Facts) -> Bearing:
        retryable = row.place is Place.SAME_IDENTITY and row.hold is Hold.RETRYABLE
        like = row.likeness is Likeness.SAME and row.age is Age.EARLIER
        return Bearing.RETRY if retryable and like else admission.bearing(row)

    return replace(contract, after_lookup=after_lookup, bearing=bearing)


def gate_fails_open(contract: Contract) -> Contract:
    """A gate read that fails lets the run go on."""

    def may_schedule(read: GateRead, verdicts: tuple[GateVerdict, ...]) -> bool:
        return read is GateRead.FAILED or gate.may_schedule(read, verdicts)

    return replace(contract, may_schedule=may_schedule)


def gate_skipped(contract: Contract) -> Contract:
    """What the gate found does not stop the run from being scheduled."""

    def may_schedule(read: GateRead, verdicts: tuple[GateVerdict, ...]) -> bool:
        return read is GateRead.READ

    return replace(contract, may_schedule=may_schedule)


def rows_bear_on_nothing(contract: Contract) -> Contract:
    """A prepare does not look at what is recorded."""
    return replace(contract, bearing=lambda row: Bearing.SILENT)


def identity_alone(contract: Contract) -> Contract:
    """Only a row of the same identity bears on a call: plan [A] re-run as [B, A] sends A twice."""

    def bearing(row: Facts) -> Bearing:
        return admission.bearing(row) if row.place is Place.SAME_IDENTITY else Bearing.SILENT

    return replace(contract, bearing=bearing)


def same_slot_alone(contract: Contract) -> Contract:
    """Only a row at the same slot bears on a call: [A] re-run as [GET, A] sends A twice."""

    def bearing(row: Facts) -> Bearing:
        return Bearing.SILENT if row.place is Place.ELSEWHERE else admission.bearing(row)

    return replace(contract, bearing=bearing)


def mismatch_replayed(contract: Contract) -> Contract:
    """A call gets the answer that was recorded at its slot, though it asks something else."""

    def bearing(row: Facts) -> Bearing:
        return admission.bearing(replace(row, likeness=Likeness.SAME))

    return replace(contract, bearing=bearing)


def fence_unchecked(contract: Contract) -> Contract:
    """A write goes through whatever its generation."""

    def fence_holds(*, writer: int, current: int) -> bool:
        return True

    return replace(contract, fence_holds=fence_holds)


def live_owner_replaced(contract: Contract) -> Contract:
    """A take-over does not ask whether the owner is alive."""

    def may_take_over(sign: OwnerSign) -> bool:
        return True

    return replace(contract, may_take_over=may_take_over)


def unknown_recorded_as_done(contract: Contract) -> Contract:
    """A call without an answer is taken for one that was answered."""

    def settle(
        state: State,
        resolution: Resolution | None,
        outcome: Outcome,
        writer: Writer,
        *,
        retained: bool,
        repeated: bool,
    ) -> Settlement:
        done = Outcome.DONE if outcome is Outcome.UNKNOWN else outcome
        return settlement.settle(
            state, resolution, done, writer, retained=retained, repeated=repeated
        )

    return replace(contract, settle=settle)


def ended_runs_are_resumed(contract: Contract) -> Contract:
    """A run goes on after any terminal."""
    return replace(contract, may_resume=lambda phase: True)


def late_settle_overwrites(contract: Contract) -> Contract:
    """A settle that comes too late changes the row's state."""

    def settle(
        state: State,
        resolution: Resolution | None,
        outcome: Outcome,
        writer: Writer,
        *,
        retained: bool,
        repeated: bool,
    ) -> Settlement:
        answer = settlement.settle(
            state, resolution, outcome, writer, retained=retained, repeated=repeated
        )
        return Settlement.COMMIT if answer is Settlement.EVIDENCE else answer

    return replace(contract, settle=settle)


def key_lives_for_ever(contract: Contract) -> Contract:
    """A key is used again after its target has forgotten it."""

    def key_is_live(*, age_s: int, lifetime_s: int | None) -> bool:
        return True

    return replace(contract, key_is_live=key_is_live)


def key_judged_once(contract: Contract) -> Contract:
    """A key that lived when its call was prepared is sent however long that was ago."""

    def may_send(*, keyed: bool, key_live: bool) -> bool:
        return True

    return replace(contract, may_send=may_send)


def tier_kept_without_reconciler(contract: Contract) -> Contract:
    """A declared tier is believed although nothing can reconcile it."""

    def effective_tier(declared: Tier, *, reconciler: bool, key_live: bool) -> Tier:
        return tiers.effective_tier(declared, reconciler=True, key_live=key_live)

    return replace(contract, effective_tier=effective_tier)


def annotation_trusted(contract: Contract) -> Contract:
    """A discovered tool's own word raises its tier."""

    def trusted_tier(declared: Tier, origin: Origin) -> Tier:
        return declared

    return replace(contract, trusted_tier=trusted_tier)


def reads_journaled(contract: Contract) -> Contract:
    """A governed read is journaled like an effect."""

    def is_journaled(kind: ToolKind, shape: CallShape, origin: Origin) -> bool:
        governed_read = shape is CallShape.GET or kind is ToolKind.READ
        return governed_read or journaling.is_journaled(kind, shape, origin)

    return replace(contract, is_journaled=is_journaled)


def notifications_journaled(contract: Contract) -> Contract:
    """A call whose duplicate is harmless is journaled all the same."""

    def is_journaled(kind: ToolKind, shape: CallShape, origin: Origin) -> bool:
        return journaling.performs_external_mutation(kind, shape)

    return replace(contract, is_journaled=is_journaled)


def discovered_benign(contract: Contract) -> Contract:
    """A discovered tool is believed when it says that its duplicates are harmless."""

    def is_journaled(kind: ToolKind, shape: CallShape, origin: Origin) -> bool:
        return origin is Origin.FIRST_PARTY and journaling.is_journaled(kind, shape, origin)

    return replace(contract, is_journaled=is_journaled)


def appends_unjournaled(contract: Contract) -> Contract:
    """Appending to a file counts as harmless."""

    def is_journaled(kind: ToolKind, shape: CallShape, origin: Origin) -> bool:
        return shape is not CallShape.APPEND and journaling.is_journaled(kind, shape, origin)

    return replace(contract, is_journaled=is_journaled)


def resolved_again(contract: Contract) -> Contract:
    """A second resolution replaces the first."""

    def may_resolve(state: State, resolution: Resolution, *, landed: bool) -> bool:
        again = state is State.RESOLVED
        return again or contract.may_resolve(state, resolution, landed=landed)

    return replace(contract, may_resolve=may_resolve)


def landed_discarded(contract: Contract) -> Contract:
    """An effect is discarded although a late answer shows that it landed."""

    def may_resolve(state: State, resolution: Resolution, *, landed: bool) -> bool:
        return contract.may_resolve(state, resolution, landed=False)

    return replace(contract, may_resolve=may_resolve)


def completes_beside_unresolved(contract: Contract) -> Contract:
    """A node completes although the outcome of an effect of its own is unknown."""

    def completion(age: Age, record: Standing) -> Completion:
        return Completion.CLEAR

    return replace(contract, completion=completion)


def node_retried_after_prepare(contract: Contract) -> Contract:
    """A failure after a prepare takes the node-retry path."""

    def node_retryable(*, prepared_in_attempt: bool) -> bool:
        return True

    return replace(contract, node_retryable=node_retryable)


def nothing_is_retried(contract: Contract) -> Contract:
    """An ordinary refusal, with nothing prepared, ends the node although attempts are left."""

    def node_retryable(*, prepared_in_attempt: bool) -> bool:
        return False

    return replace(contract, node_retryable=node_retryable)


def attention_sweeps(contract: Contract) -> Contract:
    """A needs-attention terminal sweeps the run's committed rows like any other."""

    def sweepable(state: State, phase: RunPhase, *, undelivered: bool) -> bool:
        if phase is RunPhase.NEEDS_ATTENTION:
            phase = RunPhase.ENDED
        return retention.sweepable(state, phase, undelivered=undelivered)

    return replace(contract, sweepable=sweepable)


def unresolved_swept(contract: Contract) -> Contract:
    """An ended run takes its unresolved rows with it."""

    def sweepable(state: State, phase: RunPhase, *, undelivered: bool) -> bool:
        return not retention.may_resume(phase)

    return replace(contract, sweepable=sweepable)


def budget_pauses_late(contract: Contract) -> Contract:
    """A budget verdict pauses a turn that has acted already, and the approval replays it."""

    def budget_verdict(*, within_budget: bool, egress: int) -> BudgetVerdict:
        return budget.budget_verdict(within_budget=within_budget, egress=1)

    return replace(contract, budget_verdict=budget_verdict)


def first_egress_fails(contract: Contract) -> Contract:
    """A run that could pause before anything happened is failed instead."""

    def budget_verdict(*, within_budget: bool, egress: int) -> BudgetVerdict:
        return BudgetVerdict.PROCEED if within_budget else BudgetVerdict.FAIL_CLOSED

    return replace(contract, budget_verdict=budget_verdict)


def attention_reported_as_held(contract: Contract) -> Contract:
    """An unknown outcome is reported as a terminal that is held back."""

    def exit_code(holding: frozenset[ExitCode]) -> ExitCode:
        attention = ExitCode.EFFECT_ATTENTION in holding
        return ExitCode.TERMINAL_HELD if attention else contract.exit_code(holding)

    return replace(contract, exit_code=exit_code)


def attention_exits_as_failure(contract: Contract) -> Contract:
    """An unknown outcome exits like an ordinary failure."""

    def exit_code(holding: frozenset[ExitCode]) -> ExitCode:
        attention = ExitCode.EFFECT_ATTENTION in holding
        return ExitCode.FAILED if attention else contract.exit_code(holding)

    return replace(contract, exit_code=exit_code)


def secrets_digested(contract: Contract) -> Contract:
    """Declared secret arguments are hashed with the others."""

    def digest_with_secrets(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> str:
        return digest(arguments, ())

    return replace(contract, digest=digest_with_secrets)


def sorted_as_in_python(contract: Contract) -> Contract:
    """Canonical JSON is taken for what one language writes when it is told to sort keys."""

    def digest_of_sorted(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> str:
        text = json.dumps(projection(arguments, secret_keys), sort_keys=True, separators=(",", ":"))
        return f"{DIGEST_VERSION}:{hashlib.sha256(text.encode()).hexdigest()}"

    return replace(contract, digest=digest_of_sorted)


def long_values_clipped(contract: Contract) -> Contract:
    """A digest is taken of a preview, in which long strings are cut."""

    def clipped(value: Json) -> Json:
        return value[:PREVIEW] if isinstance(value, str) else value

    return _digesting(contract, clipped)


def underscored_keys_dropped(contract: Contract) -> Contract:
    """Nested keys that mean something to one language are lost from the projection."""

    def without(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {key: nested for key, nested in value.items() if not key.startswith("__")}

    return _digesting(contract, without)


def _digesting(contract: Contract, change: Callable[[Json], Json]) -> Contract:
    """The contract with a projection that changes values on their way into the digest."""

    def throughout(value: Json) -> Json:
        match change(value):
            case dict() as members:
                return {key: throughout(nested) for key, nested in members.items()}
            case list() as items:
                return [throughout(nested) for nested in items]
            case changed:
                return changed

    def digest_of_changed(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> str:
        return digest({key: throughout(value) for key, value in arguments.items()}, secret_keys)

    return replace(contract, digest=digest_of_changed)


def credential_suffix_left(contract: Contract) -> Contract:
    """A pattern stops before the end of what it recognises."""
    return _masking(contract, lambda before, after, _: f"{after}{str(before)[-SUFFIX:]}")


def userinfo_to_the_first_at(contract: Contract) -> Contract:
    """A password with an @ in it ends there."""

    def first(before: Json, after: Json, _: _Within) -> Json:
        opening, found, authority = str(before).partition("://")
        return f"{opening}://{REDACTED}@{authority.partition('@')[2]}" if found else after

    return _masking(contract, first)


def flag_values_kept(contract: Contract) -> Contract:
    """An argument vector is taken for a list of texts, each public by itself."""
    return _masking(
        contract, lambda before, after, within: before if within is _Within.LIST else after
    )


def media_digested(contract: Contract) -> Contract:
    """What a data URL carries is hashed with the text around it."""
    return _masking(
        contract, lambda before, after, _: before if "base64," in str(before) else after
    )


class _Within(Enum):
    """What a value is part of."""

    LIST = "an element"
    OBJECT = "a member"


def _masking(contract: Contract, wrong: Callable[[Json, Json, _Within], Json]) -> Contract:
    """The contract with another mask, made of what is masked and of the mask that it has."""

    def changed(before: Json, after: Json, within: _Within) -> Json:
        match before, after:
            case dict(), dict():
                return {name: changed(before[name], after[name], _Within.OBJECT) for name in after}
            case list(), list():
                return [changed(*both, _Within.LIST) for both in zip(before, after, strict=True)]
            case _:
                return after if before == after else wrong(before, after, within)

    def digest_of_masked(arguments: Mapping[str, Json], secret_keys: Collection[str]) -> str:
        left = projection(arguments, secret_keys)
        return hashed({name: changed(arguments[name], left[name], _Within.OBJECT) for name in left})

    return replace(contract, digest=digest_of_masked)


def everything_exactly_once(contract: Contract) -> Contract:
    """Every tier is sold as exactly once."""
    return replace(contract, claim=lambda tier: tiers.claim(Tier.KEYED))
