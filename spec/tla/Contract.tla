------------------------------ MODULE Contract ------------------------------
(***************************************************************************)
(* The decisions of the contract. Each is a function of what it must know, *)
(* and of nothing else; what a journal is and what happens to it stands in *)
(* EffectJournal. The letters and numbers in brackets name the clauses.    *)
(***************************************************************************)
EXTENDS Integers

(***************************************************************************)
(* Tiers (T): "keyed" is tier 1, "queryable" tier 2, "opaque" tier 3.      *)
(***************************************************************************)

Travel == 1
  \* How long a request may travel (reading 3). Time is counted in this unit.

ForEver == 0
  \* The lifetime of a key that its target never forgets.

(* The tier whose promise can be kept now (T-6, reading 3). *)
EffectiveTier(declared, reconciler, keyLive) ==
  IF ~reconciler \/ (declared = "keyed" /\ ~keyLive) THEN "opaque" ELSE declared

(* Whether a key still binds a request that is sent now (reading 3). *)
KeyIsLive(age, lifetime) ==
  lifetime = ForEver \/ (age >= 0 /\ age + Travel < lifetime)

(* Whether a call that was prepared may still leave its process (reading 3). *)
MaySend(keyed, keyLive) == keyed => keyLive

(***************************************************************************)
(* The resume gate (G).                                                    *)
(***************************************************************************)

(* How the gate reads a row (readings 7, 8 and 20). *)
Standing(state, resolution, retained) ==
  CASE state \in {"prepared", "ambiguous"} -> "unresolved"
    [] state = "needs_attention" -> "attention"
    [] state = "resolved" /\ resolution = "discarded" -> "absent"
    [] OTHER -> IF retained THEN "committed, retained" ELSE "committed, not retained"

(* What the gate says of one row (G-2 to G-5, A-4, A-5). *)
Gate(standing, tier) ==
  CASE standing = "committed, retained" -> "redeliver"
    [] standing \in {"committed, not retained", "unresolved"} ->
         (CASE tier = "keyed" -> "retry"
            [] tier = "queryable" -> "reconcile"
            [] tier = "opaque" -> "attention")
    [] standing = "attention" -> "attention"
    [] standing = "absent" -> "ignore"

(* The verdict after a receipt was looked up (T-3). None is no proof of absence (reading 2). *)
AfterLookup(lookup) == IF lookup = "found" THEN "redeliver" ELSE "attention"

(* Whether anything may be scheduled, given whether the gate could be read and what it said of *)
(* every row of every node that may run again (G-9, G-10).                                     *)
MaySchedule(read, verdicts) == read /\ verdicts \cap {"attention", "reconcile"} = {}

(***************************************************************************)
(* Prepare (G-6, G-8, I-5, readings 4 and 5). Every undiscarded row of the *)
(* node bears on the call that is prepared, by these facts:                *)
(*   place     "same identity" (slot and tool), "same slot" or "elsewhere" *)
(*   age       "this start" wrote it, this start has "delivered" or        *)
(*             retried it, or it is of an "earlier" one                    *)
(*   alike     whether it has the same arguments                           *)
(*   standing  as the gate reads it                                        *)
(*   verdict   what the gate says of it now                                *)
(*   hold      "retryable" (this generation's gate said so), "in flight"   *)
(*             (its sender may be alive) or "closed"                       *)
(***************************************************************************)

BearingOfTheSameIdentity(row) ==
  IF row.age # "earlier" \/ row.hold = "in flight" THEN "duplicate"
  ELSE IF ~row.alike THEN "mismatch"
  ELSE IF row.verdict = "redeliver" THEN "replay"
  ELSE IF row.verdict = "retry" /\ row.hold = "retryable" THEN "retry"
  ELSE "unresolved"

BearingFromElsewhere(row) ==
  CASE row.standing = "committed, retained" ->
         IF row.age = "earlier" THEN "undelivered" ELSE "silent"
    [] row.standing = "committed, not retained" ->
         IF row.age # "earlier" THEN "silent"
         ELSE IF row.verdict = "retry" THEN "pending" ELSE "undelivered"
    [] row.standing = "unresolved" ->
         IF row.hold = "in flight" /\ row.age = "this start" THEN "silent"
         ELSE IF row.hold = "retryable" THEN "pending" ELSE "unresolved"
    [] row.standing = "attention" -> "unresolved"

(* How one undiscarded row of the node bears on the call. *)
Bearing(row) ==
  IF row.verdict = "ignore" THEN "silent"
  ELSE CASE row.place = "same identity" -> BearingOfTheSameIdentity(row)
         [] row.place = "same slot" -> "mismatch"
         [] row.place = "elsewhere" -> BearingFromElsewhere(row)

(* The answer to a prepare, given what the rows of the node say. A re-delivery or a retry of    *)
(* the very call is no fresh dispatch, which needs every row silent.                            *)
Admit(said) ==
  IF said \cap {"mismatch", "duplicate"} # {} THEN "refuse"
  ELSE IF "replay" \in said THEN "replay"
  ELSE IF "retry" \in said THEN "retry"
  ELSE IF said \subseteq {"silent"} THEN "dispatch" ELSE "refuse"

(***************************************************************************)
(* Settle: a compare-and-set, and evidence when it is late (readings 10    *)
(* and 11). The writer is the row's "owner", its "retrier", or "fenced".   *)
(* Done and not done are answers; only unknown leaves the outcome open.    *)
(***************************************************************************)

Settlement(state, resolution, outcome, writer, retained, repeated) ==
  LET answered == outcome # "unknown"
  IN  IF repeated THEN "alike"
      ELSE IF writer = "fenced" \/ resolution = "discarded" THEN "evidence"
      ELSE IF <<state, writer>> \in {<<"prepared", "owner">>, <<"ambiguous", "retrier">>}
           THEN IF answered THEN "commit" ELSE "mark ambiguous"
      ELSE IF state \in {"committed", "resolved"} /\ writer = "retrier" /\ answered /\ ~retained
           THEN "fill"
      ELSE "evidence"

(***************************************************************************)
(* Nodes (G-5, G-12, O-6, reading 17).                                     *)
(***************************************************************************)

(* What one undiscarded row says of its node's completion. *)
Completion(age, standing) ==
  CASE standing \in {"unresolved", "attention"} -> "unresolved"
    [] standing = "committed, retained" -> IF age = "earlier" THEN "undelivered" ELSE "clear"
    [] standing = "committed, not retained" -> IF age = "earlier" THEN "unresolved" ELSE "clear"

(* Whether a start of a node that failed may be followed by another one. *)
NodeRetryable(preparedInStart) == ~preparedInStart

(* What becomes of a provider call that the budget does not allow, counted from 1 in its start *)
(* (B-1, B-2).                                                                                 *)
Budget(egress) == IF egress = 1 THEN "pause" ELSE "fail closed"

(***************************************************************************)
(* Ownership (F), retention (R), and an operator's word (A).               *)
(***************************************************************************)

(* Whether the fence may be taken: the owner is "gone", "alive" or "declared dead" (F-1). *)
MayTakeOver(owner) == owner # "alive"

(* Whether a write under one generation goes through under another (F-2). *)
FenceHolds(writer, current) == writer = current

(* Whether a run may be resumed: attention ends an incarnation, not the run (reading 6). *)
MayResume(phase) == phase \in {"open", "needs_attention"}

(* Whether a row may be swept (R-1, R-2). One that its completed node never delivered stays *)
(* until an operator closes the run (reading 17).                                           *)
Sweepable(state, phase, undelivered) ==
  /\ state \in {"committed", "resolved"}
  /\ phase = "closed" \/ (phase = "ended" /\ ~undelivered)

(* Whether an operator's word is accepted (A-5). What is known to have landed is not discarded *)
(* (reading 8).                                                                                *)
MayResolve(state, resolution, landed) ==
  /\ state \in {"prepared", "ambiguous", "needs_attention"}
  /\ ~(resolution = "discarded" /\ landed)

=============================================================================
