------------------------------ MODULE Properties ------------------------------
(***************************************************************************)
(* What must hold of every world and of every step, each under its clause. *)
(* None asks a rule: each says in its own words what the rules are for, so *)
(* that a wrong rule breaks it instead of redefining it.                   *)
(***************************************************************************)
EXTENDS EffectJournal

Open == {"prepared", "ambiguous", "needs_attention"}
Settleds == {"committed", "resolved"}

IsSettled(id) == rows[id].state \in Settleds

(***************************************************************************)
(* Effects                                                                 *)
(***************************************************************************)

Net(id) == ledger[id].effects - (IF ledger[id].discarded THEN 1 ELSE 0)

RECURSIVE Sum(_)
Sum(ids) == IF ids = {} THEN 0 ELSE LET id == Least(ids) IN Net(id) + Sum(ids \ {id})

(* No call takes effect more often than once, and once more for each discard of it. *)
HappensOnce(ids) ==
  \A id \in ids :
    Sum({other \in ids : /\ ledger[other].node = ledger[id].node
                         /\ ledger[other].call = ledger[id].call}) <= 1

OfTier(tier) == {id \in Prepared : Tier(ledger[id].call) = tier}
Reconciled == {id \in Prepared : ledger[id].reconciler}

(* T-4 *)
AnOpaqueEffectHappensAtMostOnce == HappensOnce(OfTier("opaque"))

(* T-2 *)
AKeyedEffectHappensAtMostOnce == HappensOnce(OfTier("keyed") \cap Reconciled)

(* T-3 *)
AQueryableEffectHappensAtMostOnce == HappensOnce(OfTier("queryable") \cap Reconciled)

(* T-6 *)
WithoutAReconcilerItHappensAtMostOnce == HappensOnce(Prepared \ Reconciled)

(* T-1 *)
NothingIsSentWithoutARow ==
  [][\A id \in RowIds :
       wires'[id].requests \ wires[id].requests # {} => rows[id] \notin {NotYet, Unwritten}]_vars

SettlesAs(p, id, outcome) ==
  /\ HasInHand(p, id)
  /\ OutcomeOf(InHand(p, id)) = outcome
  /\ \E result \in Results \cup {"none"} : Settle(p, id, result)

(* T-1 *)
WhatIsRecordedAsDoneWasDone ==
  [][\A p \in Living, id \in RowIds : SettlesAs(p, id, "done") => ledger[id].effects > 0]_vars

(***************************************************************************)
(* Prepare                                                                 *)
(***************************************************************************)

(* O-2 *)
APrepareThatFailsSendsNothing ==
  [][\A p \in Living, slot \in 0 .. Slots - 1, call \in Calls :
       PrepareFails(p, slot, call) => UNCHANGED <<rows, wires>>]_vars

RowsInHand(p) ==
  IF p \in Living THEN {dispatch.row : dispatch \in processes[p].inHand} ELSE {}

(* The rows whose call a process has just been told to send. *)
ToldToSend(p) == RowsInHand(p)' \ RowsInHand(p)

(* Those of them that were there before, to be sent again. *)
ToldToSendAgain == UNION {ToldToSend(p) \cap There : p \in Processes}

(* T-4 *)
AnOpaqueCallIsNeverSentAgain ==
  [][\A id \in ToldToSendAgain : Tier(rows[id].call) # "opaque"]_vars

(* G-2 *)
ARetainedResultIsNotSentFor ==
  [][\A id \in ToldToSendAgain : ~IsRetained(rows[id])]_vars

(* G-3. Only tier 1 may be asked once more for a result that was not kept. *)
WhatIsSettledIsSentAgainUnderAKeyAlone ==
  [][\A id \in ToldToSendAgain :
       IsSettled(id) => Tier(rows[id].call) = "keyed" /\ rows[id].keyIssuedAt # Never]_vars

Delivered(p, node) == IF p \in Living THEN StartOf(p, node).delivered ELSE {}

(* The rows that were just delivered again. *)
JustDelivered(p, node) == Delivered(p, node)' \ Delivered(p, node)

(* G-5 *)
OnlyWhatIsRetainedIsDelivered ==
  [][\A p \in Processes, node \in Nodes :
       \A id \in JustDelivered(p, node) : IsRetained(rows[id])]_vars

(* G-8 *)
AReplayAnswersTheVeryCall ==
  [][\A p \in Processes, node \in Nodes :
       \A id \in JustDelivered(p, node) :
         /\ rows[id].slot = StartOf(p, node)'.nextSlot - 1
         /\ {rows[id].call} = StartOf(p, node)'.asked \ StartOf(p, node).asked]_vars

(* The rows of the node that a process has just written. *)
Fresh(p, node) == {id \in (ToldToSend(p) \ Prepared) \cap There' : rows'[id].node = node}
WritesFresh(p, node) == Fresh(p, node) # {}

(* G-8 *)
WhatIsRecordedComesFirst ==
  [][\A p \in Processes, node \in Nodes : WritesFresh(p, node) =>
       \A id \in RowsOf(node) : IsSettled(id) =>
         id \in StartOf(p, node)'.delivered \/ IsOf(rows[id], StartOf(p, node)')]_vars

(* G-4. A call of the same start may be on its way, in another process. *)
NothingFreshBesideAnOpenEffect ==
  [][\A p \in Processes, node \in Nodes : WritesFresh(p, node) =>
       \A id \in RowsOf(node) :
         \/ IsSettled(id)
         \/ rows[id].state = "prepared" /\ rows[id].start = StartOf(p, node)'.number]_vars

(* I-2 *)
AnEarlierStartIsLookedUpToo ==
  [][\A p \in Processes, node \in Nodes :
       \A id \in Fresh(p, node), other \in RowsOf(node) :
         <<rows[other].slot, Tool(rows[other].call)>> = <<rows'[id].slot, Tool(rows'[id].call)>>
         => rows[other].start = rows'[id].start]_vars

(* I-3 *)
ASlotCountsEveryCall ==
  [][\A p \in Processes, node \in Nodes :
       \A id \in Fresh(p, node) : rows'[id].slot = StartOf(p, node)'.nextSlot - 1]_vars

(* I-4. What an earlier start has asked for is not asked for anew because it stands elsewhere. *)
AnotherSlotMakesNoOtherCall ==
  [][\A p \in Processes, node \in Nodes :
       \A id \in Fresh(p, node), other \in RowsOf(node) :
         IsSettled(other) /\ ledger[other].call = rows'[id].call =>
           \/ other \in StartOf(p, node)'.delivered
           \/ IsOf(rows[other], StartOf(p, node)')]_vars

JustAsked(p, node) ==
  IF p \in Living /\ p \in Living' THEN StartOf(p, node)'.asked \ StartOf(p, node).asked ELSE {}

(* I-6. Where the very call of an earlier start is asked for, what is recorded of it is delivered. *)
ACallIsKnownWhateverItsId ==
  [][\A p \in Living, node \in Nodes :
       IsOpen /\ processes[p].generation = run.generation /\ JustAsked(p, node) # {} =>
         \A id \in RowsOf(node) :
           /\ IsSettled(id)
           /\ IsRetained(rows[id])
           /\ ~IsOf(rows[id], StartOf(p, node))
           /\ rows[id].slot = StartOf(p, node)'.nextSlot - 1
           /\ {ledger[id].call} = JustAsked(p, node)
           => id \in StartOf(p, node)'.delivered]_vars

(* I-5 *)
UndiscardedIdentitiesAreUnique ==
  \A id, other \in Undiscarded :
    <<rows[id].node, rows[id].slot, Tool(rows[id].call)>>
      = <<rows[other].node, rows[other].slot, Tool(rows[other].call)>>
    => id = other

(***************************************************************************)
(* Nodes                                                                   *)
(***************************************************************************)

Begins(node) == nodes'[node].starts # nodes[node].starts

(* G-1. Of a run whose gate has passed: nothing is as open as it was found. *)
TheGateJudgesEveryRow ==
  [][\A p \in Living :
       /\ ReadGate(p)
       /\ processes'[p].gated = run.generation
       /\ processes[p].generation = run.generation
       => \A id \in Rerunnable' :
            rows'[id].state \in Settleds \/ rows'[id].retrying = run.generation]_vars

(* G-9. What another generation left open, this one's gate has seen, and found that it may retry. *)
NothingStartsBesideWhatBlocks ==
  [][\A node \in Nodes : Begins(node) =>
       \A id \in Rerunnable :
         IsSettled(id) \/ run.generation \in {rows[id].retrying, rows[id].generation}]_vars

(* G-10 *)
WhatCannotBeReadLetsNobodyThrough ==
  [][\A p \in Living : ReadGateFails(p) => processes'[p].gated = processes[p].gated]_vars

(* G-13 *)
AnApprovalLeadsThroughTheGate ==
  [][\A p \in Living : Approve(p) => processes'[p].gated = Never]_vars

(* The budget has spoken before the first provider call of a start, or before a later one. *)
BudgetSpeaks(p, first) ==
  OverBudget(p) /\ (StartOf(p, Least(OpenNodes)).asked = {}) = first

(* B-2 *)
TheFirstEgressPauses ==
  [][\A p \in Living : BudgetSpeaks(p, TRUE) => processes'[p].stage = "paused"]_vars

(* B-1 *)
ALaterEgressFailsTheNode ==
  [][\A p \in Living : BudgetSpeaks(p, FALSE) => processes'[p].stage = "over budget"]_vars

(* O-4 *)
ASettleThatFailsStopsTheRun ==
  [][\A p \in Living, id \in RowIds : SettleFails(p, id) =>
       processes'[p].stage = "attention" /\ UNCHANGED rows]_vars

(* O-5. A step that changes nothing breaks no property here: what an error leaves as it was, *)
(* only the count of states and steps shows.                                                 *)
WhatFollowsASettleDoesNotUndoIt ==
  [][\A p \in Living :
       FollowUpFails(p) /\ HasPrepared(StartOf(p, Least(OpenNodes)), Least(OpenNodes)) =>
         processes'[p].stage = "failed" /\ UNCHANGED rows]_vars

(* O-6. Another process may begin the node again. *)
NoStartFollowsAPrepare ==
  [][\A p \in Living, node \in Nodes : Begins(node) =>
       \/ p \notin Living'
       \/ StartOf(p, node) \in {NotBegun, StartOf(p, node)'}
       \/ \A id \in There : rows[id].node = node => ~IsOf(rows[id], StartOf(p, node))]_vars

Completes(p, node) ==
  CompleteNode(p) /\ nodes'[node].completed /\ ~nodes[node].completed

(* G-12 *)
NoNodeCompletesBesideAnOpenEffect ==
  [][\A p \in Processes, node \in Nodes : Completes(p, node) =>
       \A id \in RowsOf(node) : IsSettled(id)]_vars

(* G-5 *)
NoNodeCompletesWithoutTheAnswer ==
  [][\A p \in Processes, node \in Nodes : Completes(p, node) =>
       \A id \in RowsOf(node) :
         ~IsSettled(id) \/ IsRetained(rows[id]) \/ IsOf(rows[id], StartOf(p, node))]_vars

(***************************************************************************)
(* Rows                                                                    *)
(***************************************************************************)

(* Where a row can be found after one step, by where it was: the state machine, drawn once more. *)
Ways(state) ==
  CASE state = "prepared" -> Open \cup Settleds
    [] state = "ambiguous" -> (Open \cup Settleds) \ {"prepared"}
    [] state = "needs_attention" -> {"needs_attention", "resolved"}
    [] OTHER -> {state}

Stays == There \cap There'

(* S-1 *)
RowsMoveAsDrawn == [][\A id \in Stays : rows'[id].state \in Ways(rows[id].state)]_vars

(* O-3 *)
WhatIsUnknownStaysOpen ==
  [][\A p \in Living, id \in RowIds : SettlesAs(p, id, "unknown") =>
       \A other \in Stays : rows'[other].state \in {rows[other].state, "ambiguous"}]_vars

(* S-2. Whoever finds the state of a row finds its result with it. *)
OneSettleWritesAll ==
  [][\A p \in Living, id \in RowIds, result \in Results :
       Kept(result) # "none" /\ Settle(p, id, result) =>
         \A other \in Stays :
           rows[other].state \in Open /\ rows'[other].state \in Settleds
           => IsRetained(rows'[other])]_vars

(* S-3 *)
WhatIsSettledStays ==
  [][\A id \in Stays : IsSettled(id) =>
       /\ rows'[id].state = rows[id].state
       /\ rows'[id].resolution = rows[id].resolution
       /\ rows[id].result \in {"none", rows'[id].result}]_vars

(* A-5. Nobody else does, and what is known to have landed is not discarded. *)
AnOperatorResolvesOnce ==
  [][\A id \in Stays : rows'[id].resolution # rows[id].resolution =>
       /\ Resolve(id, rows'[id].resolution)
       /\ rows[id].resolution = "none"
       /\ ~(rows[id].landed /\ rows'[id].resolution = "discarded")]_vars

JustSwept == {id \in There : rows'[id] = Swept}

(* R-1 *)
NoOpenRowIsSwept == [][\A id \in JustSwept : IsSettled(id)]_vars

(* R-2 *)
NothingIsSweptWhileResumable == [][JustSwept # {} => run.phase \in {"ended", "closed"}]_vars

(* R-2. Until an operator closes the run. *)
WhatWasNotDeliveredStays ==
  [][\A id \in JustSwept : rows[id].undelivered => run.phase = "closed"]_vars

(***************************************************************************)
(* The run                                                                 *)
(***************************************************************************)

(* F-1. But where an operator declares it dead. *)
ALiveOwnerIsNotReplaced ==
  [][run'.generation # run.generation =>
       \/ lock = "nobody"
       \/ \E p \in Processes, reconcilers \in {Reconcilers, {}} :
            TakeOver(p, reconcilers, TRUE)]_vars

(* What only the owner of the run may write on a row. *)
Written(row) == <<row.state, row.result, row.retrying, row.retriedIn, row.undelivered>>

(* F-2. A superseded process changes nothing but evidence, which tells what it alone may know. *)
OnlyTheOwnerWrites ==
  [][\A p \in Living : processes[p].generation # run.generation /\ Writes(p) =>
       /\ UNCHANGED <<run, nodes>>
       /\ \A id \in There' :
            id \in There /\ Written(rows'[id]) = Written(rows[id])]_vars

(* A-4. A terminal is its incarnation's for good, and a run that has ended has no next one. *)
TerminalsDoNotFlip ==
  [][run.phase \notin {"never owned", "open"} /\ run' # run =>
       IF run'.incarnation > run.incarnation
       THEN run.phase = "needs_attention"
       ELSE run'.ended = run.ended /\ run'.phase \in {run.phase, "closed"}]_vars

=============================================================================
