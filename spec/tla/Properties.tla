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

(***************************************************************************)
(* Prepare                                                                 *)
(***************************************************************************)

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

(* A process has just written a row of the node. *)
WritesFresh(p, node) == {id \in ToldToSend(p) \ Prepared : rows'[id].node = node} # {}

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

(* G-9. What another generation left open, this one's gate has seen, and found that it may retry. *)
NothingStartsBesideWhatBlocks ==
  [][\A node \in Nodes : Begins(node) =>
       \A id \in Rerunnable :
         IsSettled(id) \/ run.generation \in {rows[id].retrying, rows[id].generation}]_vars

(* G-10 *)
WhatCannotBeReadLetsNobodyThrough ==
  [][\A p \in Living : ReadGateFails(p) => processes'[p].gated = processes[p].gated]_vars

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

SettlesTheUnknown(p, id) ==
  /\ HasInHand(p, id)
  /\ InHand(p, id).outcome = "unknown"
  /\ Settle(p, id, "none")

(* O-3 *)
WhatIsUnknownStaysOpen ==
  [][\A p \in Living, id \in RowIds : SettlesTheUnknown(p, id) =>
       \A other \in Stays : rows'[other].state \in {rows[other].state, "ambiguous"}]_vars

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
