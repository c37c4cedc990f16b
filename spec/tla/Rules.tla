-------------------------------- MODULE Rules --------------------------------
(***************************************************************************)
(* The rules in force: those of the contract, but for the one that Variant *)
(* names, which is as somebody might get it wrong. "the contract" names    *)
(* none.                                                                   *)
(***************************************************************************)
EXTENDS Integers

CONSTANT Variant

ASSUME Variant \in {
  "the contract",
  "approval-skips-the-gate", "attempt-in-the-look-up", "attention-sweeps",
  "budget-pauses-late", "call-id-digested", "committed-is-a-green-light",
  "completes-beside-unresolved", "effect-before-prepare", "ended-runs-are-resumed",
  "failed-settle-ignored", "fence-unchecked", "first-egress-fails", "gate-before-ownership",
  "gate-fails-open", "gate-skipped", "identity-alone", "key-judged-once", "key-lives-for-ever",
  "landed-discarded", "late-settle-overwrites", "live-owner-replaced", "mismatch-replayed",
  "no-receipt-is-absence", "node-retried-after-prepare", "nothing-is-retried",
  "opaque-effect-retried", "queryable-effect-retried", "resolved-again",
  "retained-results-are-sent-for", "rows-bear-on-nothing", "same-slot-alone",
  "send-inside-the-transaction", "settle-before-send", "slots-count-rows",
  "state-and-result-in-two-commits", "tier-kept-without-reconciler",
  "unknown-recorded-as-done", "unresolved-swept", "unretained-opaque-retried"}

Contract == INSTANCE Contract

EffectiveTier(declared, reconciler, keyLive) ==
  Contract!EffectiveTier(
    declared, reconciler \/ Variant = "tier-kept-without-reconciler", keyLive)

KeyIsLive(age, lifetime) ==
  Variant = "key-lives-for-ever" \/ Contract!KeyIsLive(age, lifetime)

MaySend(keyed, keyLive) ==
  Variant = "key-judged-once" \/ Contract!MaySend(keyed, keyLive)

Gate(standing, tier) ==
  CASE /\ Variant = "opaque-effect-retried"
       /\ <<standing, tier>> = <<"unresolved", "opaque">> -> "retry"
    [] /\ Variant = "queryable-effect-retried"
       /\ <<standing, tier>> = <<"unresolved", "queryable">> -> "retry"
    [] /\ Variant = "committed-is-a-green-light"
       /\ <<standing, tier>> = <<"committed, not retained", "opaque">> -> "redeliver"
    [] /\ Variant = "unretained-opaque-retried"
       /\ <<standing, tier>> = <<"committed, not retained", "opaque">> -> "retry"
    [] /\ Variant = "retained-results-are-sent-for"
       /\ standing = "committed, retained" -> "retry"
    [] OTHER -> Contract!Gate(standing, tier)

AfterLookup(lookup) ==
  IF Variant = "no-receipt-is-absence" /\ lookup = "nothing"
  THEN "retry"
  ELSE Contract!AfterLookup(lookup)

MaySchedule(read, verdicts) ==
  CASE Variant = "gate-fails-open" -> ~read \/ Contract!MaySchedule(read, verdicts)
    [] Variant = "gate-skipped" -> read
    [] OTHER -> Contract!MaySchedule(read, verdicts)

Bearing(row) ==
  CASE Variant = "rows-bear-on-nothing" -> "silent"
    [] Variant = "identity-alone" ->
         IF row.place = "same identity" THEN Contract!Bearing(row) ELSE "silent"
    [] Variant = "same-slot-alone" ->
         IF row.place = "elsewhere" THEN "silent" ELSE Contract!Bearing(row)
    [] Variant = "mismatch-replayed" -> Contract!Bearing([row EXCEPT !.alike = TRUE])
    [] Variant = "no-receipt-is-absence" ->
         IF /\ row.place = "same identity" /\ row.age = "earlier"
            /\ row.alike /\ row.hold = "retryable"
         THEN "retry"
         ELSE Contract!Bearing(row)
    [] OTHER -> Contract!Bearing(row)

Settlement(state, resolution, outcome, writer, retained, repeated) ==
  LET taken == IF Variant = "unknown-recorded-as-done" /\ outcome = "unknown" THEN "done" ELSE outcome
      answer == Contract!Settlement(state, resolution, taken, writer, retained, repeated)
  IN  IF Variant = "late-settle-overwrites" /\ answer = "evidence" THEN "commit" ELSE answer

Completion(age, standing) ==
  IF Variant = "completes-beside-unresolved" THEN "clear" ELSE Contract!Completion(age, standing)

NodeRetryable(preparedInStart) ==
  CASE Variant = "node-retried-after-prepare" -> TRUE
    [] Variant = "nothing-is-retried" -> FALSE
    [] OTHER -> Contract!NodeRetryable(preparedInStart)

MayTakeOver(owner) ==
  Variant = "live-owner-replaced" \/ Contract!MayTakeOver(owner)

FenceHolds(writer, current) ==
  Variant = "fence-unchecked" \/ Contract!FenceHolds(writer, current)

MayResume(phase) ==
  Variant = "ended-runs-are-resumed" \/ Contract!MayResume(phase)

Sweepable(state, phase, undelivered) ==
  CASE Variant = "attention-sweeps" /\ phase = "needs_attention" ->
         Contract!Sweepable(state, "ended", undelivered)
    [] Variant = "unresolved-swept" -> ~Contract!MayResume(phase)
    [] OTHER -> Contract!Sweepable(state, phase, undelivered)

MayResolve(state, resolution, landed) ==
  CASE Variant = "resolved-again" ->
         state = "resolved" \/ Contract!MayResolve(state, resolution, landed)
    [] Variant = "landed-discarded" -> Contract!MayResolve(state, resolution, FALSE)
    [] OTHER -> Contract!MayResolve(state, resolution, landed)

Budget(egress) ==
  CASE Variant = "budget-pauses-late" -> Contract!Budget(1)
    [] Variant = "first-egress-fails" -> "fail closed"
    [] OTHER -> Contract!Budget(egress)

(***************************************************************************)
(* In which order things are done, and what is looked at, is no function   *)
(* of what a process knows, but a rule all the same.                       *)
(***************************************************************************)

(* A process takes over before it reads the gate (reading 12). *)
OwnershipFirst == Variant # "gate-before-ownership"

(* A call has its row before it is sent (T-1). *)
RowFirst == Variant # "effect-before-prepare"

(* Nothing is sent before the row is committed (O-2). *)
CommittedFirst == Variant # "send-inside-the-transaction"

(* What is settled is what came back (T-1). *)
AnswerFirst == Variant # "settle-before-send"

(* A settle writes all that it knows at once (S-2). *)
OneSettle == Variant # "state-and-result-in-two-commits"

(* A run stops when a settle could not be written (O-4). *)
FailedSettleStops == Variant # "failed-settle-ignored"

(* What is approved goes on through the gate (G-13). *)
ApprovedIsGated == Variant # "approval-skips-the-gate"

(* Rows are looked up whatever start they are of (I-2). *)
EveryStart == Variant # "attempt-in-the-look-up"

(* The id that a call has in one start is no part of what it asks for (I-6). *)
CallIdIsAudit == Variant # "call-id-digested"

(* A slot counts every call, journaled or not (I-3). *)
SlotCountsCalls == Variant # "slots-count-rows"

=============================================================================
