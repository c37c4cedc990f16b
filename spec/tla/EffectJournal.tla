---------------------------- MODULE EffectJournal ----------------------------
(***************************************************************************)
(* One run, its journal, the processes around it, the network, the target. *)
(*                                                                         *)
(* A run goes through its nodes. In a start of a node a model, which is up *)
(* to nobody, asks for calls; each is prepared in the journal, sent, and   *)
(* settled. Whatever acts may die, be fenced, or hear nothing.             *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Rules

CONSTANTS
  Calls,        \* what a node's model may ask for, each once a start: see Tool
  Slots,        \* how many slots a start has; a slot that is passed over is a call not journaled
  Nodes,        \* the nodes of the run, {1, 2, ...}, which runs them in this order
  Processes,    \* the names of those who may act for the run
  Reconcilers,  \* the tools for which there is a reconciler (T-6)
  Bare,         \* whether a process may come up without its reconcilers
  KeyLifetime,  \* how long the target keeps an idempotency key: a number, or 0, for ever
  Arrivals,     \* what may come of a request that arrives: see Arrive
  Results,      \* what may be kept of an answer: "fits", "other", "too large"
  Hazards,      \* the names of the actions that happen beside a run that goes well
  Lapses,       \* whether an owner may be declared dead while it lives (reading 12)
  Generations,  \* how often the fence may be taken, by operators too
  Starts,       \* how often a node may be begun
  Horizon       \* how far time goes; 0: no time passes, and a request may arrive however late

ASSUME
  /\ Calls \subseteq {"A", "not A", "B", "K", "Q"}
  /\ Nodes = 1 .. Cardinality(Nodes)
  /\ Arrivals \subseteq {"answered", "unheard", "rejected"}
  /\ Results \subseteq {"fits", "other", "too large"}
  /\ Hazards \subseteq {
       "Crash", "GiveUp", "PrepareFails", "SettleFails", "FollowUpFails", "OverBudget",
       "ReadGateFails", "Join", "Resolve", "Attach", "Close", "Sweep", "SetLookups"}
  /\ {Bare, Lapses} \subseteq BOOLEAN
  /\ {Slots, Generations, Starts} \subseteq Nat \ {0}
  /\ {KeyLifetime, Horizon} \subseteq Nat

(* Two calls ask for the same if they have the same name: it stands for the digest (X-2). *)
Tool(call) ==
  CASE call \in {"A", "not A"} -> "a"
    [] call = "B" -> "b"
    [] call = "K" -> "k"
    [] call = "Q" -> "q"

Tier(call) ==
  CASE Tool(call) \in {"a", "b"} -> "opaque"
    [] Tool(call) = "k" -> "keyed"
    [] Tool(call) = "q" -> "queryable"

Never == -1
  \* A time at which something did not happen, or a generation under which it did not.

VARIABLES
  run,        \* the run's row: its generation, incarnation and phase, and how that ended
  lock,       \* who holds the lock of the present generation, or "nobody"
  lookups,    \* how the target answers look-ups: "shown", "hidden", "failing" (reading 2)
  now,        \* the time
  processes,  \* what each process is about, if it lives
  nodes,      \* of each node: how often it was begun, and whether it is completed
  rows,       \* the rows of the journal, by their ids
  ledger,     \* what truly became of each row: nobody reads it, and no sweep takes it away
  wires       \* what lies between each row and the target

vars == <<run, lock, lookups, now, processes, nodes, rows, ledger, wires>>

(* Ids count up, and none is used again: one a slot of every start. *)
RowIds == 1 .. Cardinality(Nodes) * Starts * Slots

Least(numbers) == CHOOSE n \in numbers : \A m \in numbers : n <= m

(***************************************************************************)
(* What the variables hold                                                 *)
(***************************************************************************)

NotYet == [state |-> "not yet prepared"]
Swept == [state |-> "swept"]
Unwritten == [state |-> "sent, and nobody wrote it"]  \* what no rule of the contract leads to
NoEntry == [effects |-> 0]
Dead == [lives |-> FALSE]
NotBegun == [number |-> 0, delivered |-> {}, asked |-> {}, nextSlot |-> 0]
Unsettled == <<>>

Row == [
  node: Nodes, slot: 0 .. Slots - 1, call: Calls,
  start: 1 .. Starts,            \* of the node, which prepared it
  generation: 1 .. Generations,  \* that holds it
  keyIssuedAt: Nat \cup {Never},
  state: {"prepared", "ambiguous", "needs_attention", "committed", "resolved"},
  resolution: {"none", "accepted", "discarded"},
  result: {"none", "fits", "other"},
  settledAs: {Unsettled} \cup ({"done", "not done", "unknown"} \X (Results \cup {"none"})),
                                 \* the settle that landed (reading 11)
  retrying: 0 .. Generations,    \* whose gate found it retry-pending (reading 4), 0: nobody's
  retriedIn: 0 .. Starts,        \* the start that sent the retry, 0: none
  landed: BOOLEAN,               \* late evidence shows the effect (reading 8)
  undelivered: BOOLEAN,          \* its completed node never delivered it (reading 17)
  evidence: Nat]                 \* how many late settles there were

Entry == [
  node: Nodes, call: Calls,
  reconciler: BOOLEAN,           \* whether the process that prepared it had one for it
  effects: Nat,                  \* by the target's own count
  discarded: BOOLEAN]            \* an operator has re-opened its identity

Request == [
  process: Processes, sender: 1 .. Generations, keyed: BOOLEAN, sentAt: Nat]

Wire == [
  requests: SUBSET Request,
  keySince: Nat \cup {Never},    \* when the target learnt the row's idempotency key
  receipt: Results \cup {"none"}]

Start == [
  number: 0 .. Starts, delivered: SUBSET RowIds,
  asked: SUBSET Calls, nextSlot: 0 .. Slots]

Dispatch == [                    \* a call that a process was told to send
  row: RowIds, keyIssuedAt: Nat \cup {Never}, sent: BOOLEAN,
  outcome: {"none", "done", "not done", "unknown"}]

Process == [
  lives: {TRUE},
  generation: 0 .. Generations,  \* of the fence that it holds, 0: none
  reconcilers: {Reconcilers, {}},
  gated: {Never} \cup 0 .. Generations,  \* under which its gate passed
  starts: [Nodes -> Start],      \* its present start of each node
  inHand: SUBSET Dispatch,
  stage: {"going", "paused", "attention", "failed", "over budget", "over"}]
    \* "paused": it waits for more to spend; "over": it does nothing more to the run;
    \* the others: it must end the incarnation

Run == [
  generation: 0 .. Generations, incarnation: Nat,
  phase: {"never owned", "open", "needs_attention", "ended", "closed"},
  ended: {"no error", "effect_needs_attention", "node_failed", "budget_exceeded"}]

TypeOK ==
  /\ run \in Run
  /\ lock \in Processes \cup {"nobody"}
  /\ lookups \in {"shown", "hidden", "failing"}
  /\ now \in 0 .. Horizon
  /\ nodes \in [Nodes -> [starts: 0 .. Starts, completed: BOOLEAN]]
  /\ \A p \in Processes : processes[p] # Dead => processes[p] \in Process
  /\ \A id \in RowIds : rows[id] \in {NotYet, Swept, Unwritten} \/ rows[id] \in Row
  /\ \A id \in RowIds : ledger[id] = NoEntry <=> rows[id] = NotYet
  /\ \A id \in RowIds : ledger[id] # NoEntry => ledger[id] \in Entry
  /\ \A id \in RowIds : wires[id] \in Wire

Init ==
  /\ run = [generation |-> 0, incarnation |-> 1, phase |-> "never owned", ended |-> "no error"]
  /\ lock = "nobody"
  /\ lookups = "shown"
  /\ now = 0
  /\ processes = [p \in Processes |-> Dead]
  /\ nodes = [n \in Nodes |-> [starts |-> 0, completed |-> FALSE]]
  /\ rows = [id \in RowIds |-> NotYet]
  /\ ledger = [id \in RowIds |-> NoEntry]
  /\ wires = [id \in RowIds |-> [requests |-> {}, keySince |-> Never, receipt |-> "none"]]

(***************************************************************************)
(* What is read off a row                                                  *)
(***************************************************************************)

Prepared == {id \in RowIds : rows[id] # NotYet}
There == {id \in RowIds : rows[id] \notin {NotYet, Swept, Unwritten}}
Undiscarded == {id \in There : rows[id].resolution # "discarded"}
RowsOf(node) == {id \in Undiscarded : rows[id].node = node}

(* The rows that the gate has to judge (G-1). *)
Rerunnable == {id \in Undiscarded : ~nodes[rows[id].node].completed}

(* The rows that a look-up of the gate, and of a prepare in a start of the node, comes upon. *)
SeenByTheGate == IF EveryStart THEN Rerunnable ELSE {}
SeenBy(start, node) ==
  {id \in RowsOf(node) : EveryStart \/ rows[id].start = start.number}

IsUnresolved(row) == row.state \in {"prepared", "ambiguous", "needs_attention"}
IsRetained(row) == row.result # "none"
StandingOf(row) == Contract!Standing(row.state, row.resolution, IsRetained(row))

(* What a row keeps of a result (G-5). *)
Kept(result) == IF result = "too large" THEN "none" ELSE result

TierNow(row, reconcilers) ==
  EffectiveTier(
    Tier(row.call),
    Tool(row.call) \in reconcilers,
    row.keyIssuedAt # Never /\ KeyIsLive(now - row.keyIssuedAt, KeyLifetime))

(* The gate's verdict before any receipt is looked up. *)
FirstVerdict(row, reconcilers) == Gate(StandingOf(row), TierNow(row, reconcilers))

(* The age of a row, seen from a start of its node. *)
AgeOf(id, start) ==
  IF rows[id].start = start.number THEN "this start"
  ELSE IF id \in start.delivered \/ rows[id].retriedIn = start.number THEN "delivered"
  ELSE "earlier"

(***************************************************************************)
(* What is read off a process                                              *)
(***************************************************************************)

Living == {p \in Processes : processes[p].lives}
IsOpen == run.phase = "open"
OpenNodes == {n \in Nodes : ~nodes[n].completed}
StartOf(p, node) == processes[p].starts[node]
HasBegunANode(p) == {n \in Nodes : StartOf(p, n) # NotBegun} # {}

(* Whether a write of the process goes through; asked in its transaction (F-2). *)
Owns(p) == FenceHolds(processes[p].generation, run.generation)

(* What is known of the present owner: a lock is dropped with its holder's death alone. *)
Owner(declaredDead) ==
  IF lock = "nobody" THEN "gone" ELSE IF declaredDead THEN "declared dead" ELSE "alive"

GateHasPassed(p) ==
  IF OwnershipFirst
  THEN processes[p].gated = processes[p].generation
  ELSE processes[p].gated # Never

IsAt(p, stage) ==
  /\ p \in Living
  /\ processes[p].generation # 0
  /\ processes[p].stage = stage

(* What it knows of a call that it was told to send. *)
InHand(p, id) == CHOOSE dispatch \in processes[p].inHand : dispatch.row = id

(* It may go on, and settles what it was told to send before it does anything else. *)
HasInHand(p, id) ==
  /\ IsAt(p, "going")
  /\ GateHasPassed(p)
  /\ id \in {dispatch.row : dispatch \in processes[p].inHand}

HasNothingInHand(p) == IsAt(p, "going") /\ GateHasPassed(p) /\ processes[p].inHand = {}

(* It goes on with the run's present incarnation, or believes that it does. *)
IsAtWork(p) == HasNothingInHand(p) /\ (~HasBegunANode(p) => IsOpen)

(* Nobody else works under its fence: all admitted work has joined (A-3). *)
HasJoined(p) ==
  "Join" \in Hazards =>
    \A other \in Living \ {p} : processes[other].generation # processes[p].generation

(* A process stops. Nothing is written: it is fenced, the incarnation has its terminal, or it was *)
(* refused what it asked for.                                                                     *)
Stop(p, stage) ==
  /\ processes' = [processes EXCEPT ![p].stage = stage]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(***************************************************************************)
(* A process and its run                                                   *)
(***************************************************************************)

(* The reconcilers that a process may have: while it lives it keeps them. *)
Brought(p) ==
  IF p \in Living THEN {processes[p].reconcilers}
  ELSE {Reconcilers} \cup (IF Bare THEN {{}} ELSE {})

FenceIsFree == run.generation < Generations

(* A process that has come up, and knows nothing of the run. *)
Entering(reconcilers) ==
  [lives |-> TRUE, generation |-> 0, reconcilers |-> reconcilers, gated |-> Never,
   starts |-> [n \in Nodes |-> NotBegun], inHand |-> {}, stage |-> "going"]

(* A process takes the run's ownership, by a committed write that raises the generation (F-1). *)
(* An owner's being declared dead skips the test of liveness, and proves nothing (reading 12). *)
TakeOver(p, reconcilers, declaredDead) ==
  /\ reconcilers \in Brought(p)
  /\ FenceIsFree
  /\ declaredDead => Lapses /\ lock # "nobody"
  /\ IF OwnershipFirst
     THEN p \notin Living
     ELSE p \in Living /\ processes[p].generation = 0 /\ processes[p].stage = "going"
  /\ LET owned == run.phase # "never owned"
         before == IF p \in Living THEN processes[p] ELSE Entering(reconcilers)
     IN  IF owned /\ ~(MayResume(run.phase) /\ MayTakeOver(Owner(declaredDead)))
         THEN UNCHANGED vars
         ELSE /\ run' = [run EXCEPT
                   !.generation = @ + 1,
                   !.phase = IF owned THEN @ ELSE "open"]
              /\ lock' = p
              /\ processes' = [processes EXCEPT
                   ![p] = [before EXCEPT !.generation = run.generation + 1]]
              /\ UNCHANGED <<lookups, now, nodes, rows, ledger, wires>>

(* A process begins to act under the fence that another holds (C-7). *)
Join(p, owner) ==
  /\ "Join" \in Hazards
  /\ FenceIsFree
  /\ p \notin Living
  /\ IsAt(owner, "going")
  /\ processes[owner].generation = run.generation
  /\ processes' = [processes EXCEPT
       ![p] = [Entering(processes[owner].reconcilers) EXCEPT
                 !.generation = processes[owner].generation,
                 !.gated = processes[owner].gated]]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* What a look-up of the row's receipt comes back with (T-3, reading 2). *)
LookUp(id) ==
  CASE lookups = "failing" -> "failed"
    [] lookups = "hidden" -> "nothing"
    [] lookups = "shown" -> IF wires[id].receipt = "none" THEN "nothing" ELSE "found"

Finds(id, reconcilers) ==
  FirstVerdict(rows[id], reconcilers) = "reconcile" /\ LookUp(id) = "found"

(* The gate's verdict on a row. A receipt too large to keep leaves the row blocking (G-5). *)
Verdict(id, reconcilers) ==
  CASE FirstVerdict(rows[id], reconcilers) # "reconcile" -> FirstVerdict(rows[id], reconcilers)
    [] Finds(id, reconcilers) /\ Kept(wires[id].receipt) = "none" -> "attention"
    [] OTHER -> AfterLookup(LookUp(id))

(* The row with what a resume records on it (reading 1): what it found unsettled is ambiguous, *)
(* then committed by its receipt, or given up. A committed row only gets what it lacks.        *)
Marked(id, p) ==
  LET row == rows[id]
      receipt == wires[id].receipt
      verdict == Verdict(id, processes[p].reconcilers)
      unsettled == row.state \in {"prepared", "ambiguous"}
      found == Finds(id, processes[p].reconcilers) /\ (unsettled \/ Kept(receipt) # "none")
  IN  [row EXCEPT
         !.state = IF ~unsettled THEN @
                   ELSE IF found THEN "committed"
                   ELSE IF verdict = "attention" THEN "needs_attention" ELSE "ambiguous",
         !.result = IF found THEN Kept(receipt) ELSE @,
         !.settledAs = IF found THEN <<"done", receipt>> ELSE @,
         !.retrying = IF verdict = "retry" THEN processes[p].generation ELSE @]

(* The process, once it has read the gate. *)
HavingRead(process, verdicts) ==
  IF MaySchedule(TRUE, verdicts)
  THEN [process EXCEPT !.gated = process.generation]
  ELSE [process EXCEPT !.stage = "attention"]

(* A process reads the gate, looks receipts up, and records what it finds (G-1, G-9). *)
ReadGate(p) ==
  /\ IsAt(p, "going")
  /\ ~GateHasPassed(p)
  /\ IF ~Owns(p) THEN Stop(p, "over")
     ELSE /\ rows' = [id \in RowIds |->
               IF id \in SeenByTheGate THEN Marked(id, p) ELSE rows[id]]
          /\ processes' = [processes EXCEPT
               ![p] = HavingRead(@, {Verdict(id, @.reconcilers) : id \in SeenByTheGate})]
          /\ UNCHANGED <<run, lock, lookups, now, nodes, ledger, wires>>

(* A process cannot read the gate (G-10, reading 21). *)
ReadGateFails(p) ==
  /\ "ReadGateFails" \in Hazards
  /\ IsAt(p, "going")
  /\ ~GateHasPassed(p)
  /\ IF ~MaySchedule(FALSE, {}) \/ ~Owns(p) THEN Stop(p, "over")
     ELSE /\ processes' = [processes EXCEPT ![p] = HavingRead(@, {})]
          /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* A process reads the gate of a run that it does not own, as reading 12 forbids. *)
ReadGateUnowned(p, reconcilers) ==
  /\ ~OwnershipFirst
  /\ p \notin Living
  /\ reconcilers \in Brought(p)
  /\ processes' = [processes EXCEPT
       ![p] = HavingRead(
                Entering(reconcilers), {Verdict(id, reconcilers) : id \in Rerunnable})]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* A process whose gate has passed goes on with the run, as its next incarnation (reading 6). *)
BeginIncarnation(p) ==
  /\ HasNothingInHand(p)
  /\ ~HasBegunANode(p)
  /\ ~IsOpen
  /\ IF ~Owns(p) \/ ~MayResume(run.phase) THEN Stop(p, "over")
     ELSE /\ run' = [run EXCEPT
               !.incarnation = @ + 1, !.phase = "open", !.ended = "no error"]
          /\ UNCHANGED <<lock, lookups, now, processes, nodes, rows, ledger, wires>>

(* The terminal of the incarnation: the run's row says how it ended. *)
End(p, code) ==
  IF ~Owns(p) \/ ~IsOpen THEN Stop(p, "over")
  ELSE /\ run' = [run EXCEPT
            !.phase = IF code = "effect_needs_attention" THEN "needs_attention" ELSE "ended",
            !.ended = code]
       /\ processes' = [processes EXCEPT ![p].stage = "over"]
       /\ UNCHANGED <<lock, lookups, now, nodes, rows, ledger, wires>>

(* A process writes the terminal that an incarnation gets which must stop (A-1). *)
EndInAttention(p) ==
  /\ IsAt(p, "attention")
  /\ IsOpen
  /\ End(p, "effect_needs_attention")

AnEffectIsOpen == {id \in There : IsUnresolved(rows[id])} # {}

(* A process writes the terminal of a run that completed, or of one whose node failed for a *)
(* reason of its own. An effect whose outcome is unknown stands in the way (reading 19).    *)
EndRun(p) ==
  /\ IsAtWork(p)
  /\ HasJoined(p)
  /\ ~AnEffectIsOpen
  /\ End(p, IF OpenNodes = {} THEN "no error" ELSE "node_failed")

(* A process whose node has failed writes the terminal. Whatever else ends it, an open effect *)
(* keeps the run resumable (reading 19).                                                      *)
EndInFailure(p) ==
  /\ IsAt(p, "failed") \/ IsAt(p, "over budget")
  /\ IsOpen
  /\ HasJoined(p)
  /\ End(p, IF AnEffectIsOpen THEN "effect_needs_attention"
            ELSE IF processes[p].stage = "failed" THEN "node_failed" ELSE "budget_exceeded")

(* A budget pause is approved: its process goes on as any resume does, through the gate (G-13). *)
Approve(p) ==
  /\ IsAt(p, "paused")
  /\ processes' = [processes EXCEPT
       ![p].stage = "going",
       ![p].gated = IF ApprovedIsGated THEN Never ELSE @,
       ![p].starts = [n \in Nodes |-> NotBegun]]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(***************************************************************************)
(* A process in a node                                                     *)
(***************************************************************************)

(* The start sent the call of the row itself. *)
IsOf(row, start) == start.number \in {row.start, row.retriedIn}

(* The start has prepared or retried a call (O-6). *)
HasPrepared(start, node) == {id \in RowsOf(node) : IsOf(rows[id], start)} # {}

(* A process begins a start of the first node that is not completed. *)
BeginNode(p) ==
  /\ IsAtWork(p)
  /\ OpenNodes # {}
  /\ LET node == Least(OpenNodes)
         start == StartOf(p, node)
     IN  /\ nodes[node].starts < Starts
         /\ start # NotBegun => NodeRetryable(HasPrepared(start, node))
         /\ IF ~Owns(p) \/ ~IsOpen THEN Stop(p, "over")
            ELSE /\ nodes' = [nodes EXCEPT ![node].starts = @ + 1]
                 /\ processes' = [processes EXCEPT
                      ![p].starts[node] = [NotBegun EXCEPT !.number = nodes[node].starts + 1]]
                 /\ UNCHANGED <<run, lock, lookups, now, rows, ledger, wires>>

(* How a row of the node bears on a call that a start of a process is about to prepare. *)
BearingOf(id, p, slot, call) ==
  LET row == rows[id]
      generation == processes[p].generation
  IN  Bearing([
        place |-> IF row.slot # slot THEN "elsewhere"
                  ELSE IF Tool(row.call) = Tool(call) THEN "same identity" ELSE "same slot",
        age |-> AgeOf(id, StartOf(p, row.node)),
        alike |-> row.call = call /\ (CallIdIsAudit \/ AgeOf(id, StartOf(p, row.node)) = "this start"),
        standing |-> StandingOf(row),
        verdict |-> FirstVerdict(row, processes[p].reconcilers),
        hold |-> IF row.retrying = generation THEN "retryable"
                 ELSE IF row.state = "prepared" /\ row.generation = generation THEN "in flight"
                 ELSE "closed"])

(* A row is written, under a new id; tier 1 with an idempotency key (O-2, I-7, T-6). *)
PrepareFresh(p, node, slot, call, start) ==
  LET id == Cardinality(Prepared) + 1
      reconciler == Tool(call) \in processes[p].reconcilers
      keyIssuedAt == IF reconciler /\ Tier(call) = "keyed" THEN now ELSE Never
      counted == IF SlotCountsCalls THEN slot ELSE Cardinality(start.asked) - 1
  IN  /\ rows' = [rows EXCEPT ![id] = [
           node |-> node, slot |-> counted, call |-> call, start |-> start.number,
           generation |-> processes[p].generation, keyIssuedAt |-> keyIssuedAt,
           state |-> "prepared", resolution |-> "none", result |-> "none",
           settledAs |-> Unsettled, retrying |-> 0, retriedIn |-> 0,
           landed |-> FALSE, undelivered |-> FALSE, evidence |-> 0]]
      /\ ledger' = [ledger EXCEPT ![id] = [
           node |-> node, call |-> call, reconciler |-> reconciler,
           effects |-> 0, discarded |-> FALSE]]
      /\ processes' = [processes EXCEPT
           ![p].starts[node] = start,
           ![p].inHand = @ \cup {
             [row |-> id, keyIssuedAt |-> keyIssuedAt, sent |-> FALSE, outcome |-> "none"]}]
      /\ UNCHANGED <<run, lock, lookups, now, nodes, wires>>

(* The very call is sent again, on its own row and under its stored key (reading 4). *)
PrepareRetry(p, id, start) ==
  /\ rows' = [rows EXCEPT
       ![id].generation = processes[p].generation,
       ![id].retriedIn = start.number,
       ![id].settledAs = Unsettled]
  /\ processes' = [processes EXCEPT
       ![p].starts[rows[id].node] = start,
       ![p].inHand = @ \cup {
         [row |-> id, keyIssuedAt |-> rows[id].keyIssuedAt, sent |-> FALSE, outcome |-> "none"]}]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, ledger, wires>>

(* A call is sent that no row knows of: no rule of the contract leads to it. *)
SendUnwritten(p, node, slot, call, process) ==
  LET id == Cardinality(Prepared) + 1
      start == StartOf(p, node)
  IN  /\ rows' = [rows EXCEPT ![id] = Unwritten]
      /\ ledger' = [ledger EXCEPT ![id] = [
           node |-> node, call |-> call, reconciler |-> FALSE, effects |-> 0, discarded |-> FALSE]]
      /\ wires' = [wires EXCEPT ![id].requests = @ \cup {
           [process |-> p, sender |-> process.generation, keyed |-> FALSE, sentAt |-> now]}]
      /\ processes' = [processes EXCEPT ![p] = [process EXCEPT
           !.inHand = @ \cup {
             [row |-> id, keyIssuedAt |-> Never, sent |-> TRUE, outcome |-> "none"]}]]
      /\ UNCHANGED <<run, lock, lookups, now, nodes>>

(* The model of a process's present start may ask for the call. *)
MayAsk(p, slot, call) ==
  /\ IsAtWork(p)
  /\ OpenNodes # {}
  /\ LET start == StartOf(p, Least(OpenNodes))
     IN  /\ start # NotBegun
         /\ slot >= start.nextSlot
         /\ call \notin start.asked

(* A process prepares a call of its present start of the node. *)
Prepare(p, slot, call) ==
  /\ MayAsk(p, slot, call)
  /\ LET node == Least(OpenNodes)
         start == StartOf(p, node)
         asked == [start EXCEPT !.asked = @ \cup {call}, !.nextSlot = slot + 1]
         seen == SeenBy(start, node)
         saying(bearing) == {id \in seen : BearingOf(id, p, slot, call) = bearing}
         answer == Contract!Admit({BearingOf(id, p, slot, call) : id \in seen})
     IN  /\ IF ~RowFirst
            THEN SendUnwritten(p, node, slot, call, [processes[p] EXCEPT !.starts[node] = asked])
            ELSE IF ~Owns(p) \/ ~IsOpen THEN Stop(p, "over")
            ELSE CASE answer = "dispatch" -> PrepareFresh(p, node, slot, call, asked)
                   [] answer = "retry" -> PrepareRetry(p, Least(saying("retry")), asked)
                   [] answer = "replay" ->
                        LET id == Least(saying("replay"))
                        IN  /\ processes' = [processes EXCEPT
                                 ![p].starts[node] = [asked EXCEPT !.delivered = @ \cup {id}]]
                            /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>
                   [] answer = "refuse" ->
                        /\ processes' = [processes EXCEPT
                             ![p].starts[node] = asked, ![p].stage = "attention"]
                        /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* What an error does to a start: it may be begun again, or its node has failed (O-6). *)
AfterAnError(process, node) ==
  IF NodeRetryable(HasPrepared(process.starts[node], node))
  THEN process ELSE [process EXCEPT !.stage = "failed"]

(* The store refuses a prepare (O-2). *)
PrepareFails(p, slot, call) ==
  /\ "PrepareFails" \in Hazards
  /\ MayAsk(p, slot, call)
  /\ LET node == Least(OpenNodes)
         process == AfterAnError(processes[p], node)
     IN  IF ~CommittedFirst THEN SendUnwritten(p, node, slot, call, process)
         ELSE /\ processes' = [processes EXCEPT ![p] = process]
              /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* The next provider call of a start would exceed the budget (B-1, B-2). *)
OverBudget(p) ==
  /\ "OverBudget" \in Hazards
  /\ IsAtWork(p)
  /\ OpenNodes # {}
  /\ LET start == StartOf(p, Least(OpenNodes))
     IN  /\ start # NotBegun
         /\ processes' = [processes EXCEPT
              ![p].stage =
                IF Budget(IF start.asked = {} THEN 1 ELSE 2) = "pause"
                THEN "paused" ELSE "over budget"]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* What follows a settle fails: mapping, bounding, an event, a guard; or an abort (O-5). *)
FollowUpFails(p) ==
  /\ "FollowUpFails" \in Hazards
  /\ IsAtWork(p)
  /\ OpenNodes # {}
  /\ StartOf(p, Least(OpenNodes)).asked # {}
  /\ processes' = [processes EXCEPT ![p] = AfterAnError(@, Least(OpenNodes))]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

WriterOf(row, p) ==
  IF ~Owns(p) THEN "fenced"
  ELSE IF row.retrying = processes[p].generation THEN "retrier"
  ELSE IF row.generation = processes[p].generation THEN "owner" ELSE "fenced"

(* The row as a settle leaves it (readings 10 and 11). *)
Settled(row, settlement, outcome, result) ==
  CASE settlement = "commit" ->
         [row EXCEPT !.state = "committed", !.result = Kept(result),
                     !.settledAs = <<outcome, result>>]
    [] settlement = "mark ambiguous" ->
         [row EXCEPT !.state = "ambiguous", !.result = Kept(result),
                     !.settledAs = <<outcome, result>>]
    [] settlement = "fill" ->
         IF Kept(result) = "none" THEN row
         ELSE [row EXCEPT !.result = Kept(result), !.settledAs = <<outcome, result>>]
    [] settlement = "alike" -> row
    [] settlement = "evidence" ->
         [row EXCEPT !.landed = @ \/ outcome = "done", !.evidence = @ + 1]

(* What a process takes for the outcome of a call that it has in hand. *)
OutcomeOf(dispatch) == IF AnswerFirst THEN dispatch.outcome ELSE "done"

(* The row as two commits leave it, the state in the first and the result in the second. *)
InTwoCommits(row, settled, result) ==
  IF OneSettle \/ settled.state # "committed" THEN settled
  ELSE IF row.state = "committed"
       THEN [settled EXCEPT !.result = IF @ # "none" THEN @ ELSE Kept(result)]
       ELSE [settled EXCEPT !.result = "none"]

(* A process settles what it sent, as soon as it knows (O-3, O-4). *)
Settle(p, id, result) ==
  /\ HasInHand(p, id)
  /\ LET dispatch == InHand(p, id)
         outcome == OutcomeOf(dispatch)
         row == rows[id]
         repeated ==
           /\ row.settledAs = <<outcome, result>>
           /\ row.generation = processes[p].generation
         settlement ==
           Settlement(
             row.state, row.resolution, outcome,
             WriterOf(row, p), IsRetained(row), repeated)
         becomes == InTwoCommits(row, Settled(row, settlement, outcome, result), result)
         halfway == ~OneSettle /\ row.state # "committed" /\ becomes.state = "committed"
         settled(stage) ==
           processes' =
             [processes EXCEPT
               ![p].inHand = IF id \in There /\ halfway THEN @ ELSE @ \ {dispatch},
               ![p].stage = stage]
     IN  /\ outcome # "none"
         /\ result \in IF outcome = "unknown" THEN {"none"} ELSE Results
         /\ IF id \notin There
            THEN \* Whoever fenced this owner may have swept the row since.
                 /\ settled(IF Owns(p) THEN "going" ELSE "over")
                 /\ UNCHANGED rows
            ELSE /\ settled(IF settlement = "evidence" THEN "over"
                            ELSE IF outcome = "unknown" THEN "attention" ELSE "going")
                 /\ rows' = [rows EXCEPT ![id] = becomes]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, ledger, wires>>

(* The store refuses a settle: the row stays as it is, and the run must stop (O-4). *)
SettleFails(p, id) ==
  /\ "SettleFails" \in Hazards
  /\ HasInHand(p, id)
  /\ AnswerFirst
  /\ InHand(p, id).outcome # "none"
  /\ processes' = [processes EXCEPT
       ![p].inHand = @ \ {InHand(p, id)},
       ![p].stage = IF FailedSettleStops THEN "attention" ELSE "going"]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* A process completes its present start of the node, unless a row of it stands in the way *)
(* (G-12); a row that was never delivered to it is marked (reading 17).                    *)
CompleteNode(p) ==
  /\ IsAtWork(p)
  /\ OpenNodes # {}
  /\ HasJoined(p)
  /\ LET node == Least(OpenNodes)
         start == StartOf(p, node)
         saying(answer) ==
           {id \in RowsOf(node) : Completion(AgeOf(id, start), StandingOf(rows[id])) = answer}
     IN  /\ start # NotBegun
         /\ IF ~Owns(p) \/ ~IsOpen THEN Stop(p, "over")
            ELSE IF saying("unresolved") # {} THEN Stop(p, "attention")
            ELSE /\ nodes' = [nodes EXCEPT ![node].completed = TRUE]
                 /\ rows' = [id \in RowIds |->
                      IF id \in saying("undelivered")
                      THEN [rows[id] EXCEPT !.undelivered = TRUE] ELSE rows[id]]
                 /\ UNCHANGED <<run, lock, lookups, now, processes, ledger, wires>>

(***************************************************************************)
(* An operator, and whoever sweeps                                         *)
(***************************************************************************)

(* An operator decides something about a row of a run that nobody owns any more, and takes the *)
(* run's fence with it, so that whoever owned it writes no more (reading 6).                   *)
Decide(id, accepted, decided) ==
  /\ FenceIsFree
  /\ id \in There
  /\ IF ~MayTakeOver(Owner(FALSE)) \/ ~accepted THEN UNCHANGED vars
     ELSE /\ run' = [run EXCEPT !.generation = @ + 1]
          /\ rows' = [rows EXCEPT ![id] = decided]
          /\ ledger' = [ledger EXCEPT
               ![id].discarded = IF decided.resolution = "discarded" THEN TRUE ELSE @]
          /\ UNCHANGED <<lock, lookups, now, processes, nodes, wires>>

(* An operator resolves a row, once (A-5). *)
Resolve(id, resolution) ==
  /\ "Resolve" \in Hazards
  /\ Decide(
       id,
       MayResolve(rows[id].state, resolution, rows[id].landed),
       [rows[id] EXCEPT !.state = "resolved", !.resolution = resolution])

(* An operator attaches the absent result of a committed or accepted row (reading 7). *)
Attach(id) ==
  /\ "Attach" \in Hazards
  /\ Decide(
       id,
       StandingOf(rows[id]) = "committed, not retained",
       [rows[id] EXCEPT !.result = "fits"])

(* An operator closes the run (readings 6 and 17). *)
Close ==
  /\ "Close" \in Hazards
  /\ run.phase # "never owned"
  /\ FenceIsFree
  /\ IF ~MayTakeOver(Owner(FALSE)) THEN UNCHANGED vars
     ELSE /\ run' = [run EXCEPT !.generation = @ + 1, !.phase = "closed"]
          /\ UNCHANGED <<lock, lookups, now, processes, nodes, rows, ledger, wires>>

(* Somebody sweeps what may be swept of the run (R-1, R-2). *)
Sweep ==
  /\ "Sweep" \in Hazards
  /\ run.phase # "never owned"
  /\ rows' = [id \in RowIds |->
       IF id \notin There THEN rows[id]
       ELSE IF Sweepable(rows[id].state, run.phase, rows[id].undelivered) THEN Swept
       ELSE rows[id]]
  /\ UNCHANGED <<run, lock, lookups, now, processes, nodes, ledger, wires>>

(***************************************************************************)
(* Outside the journal                                                     *)
(***************************************************************************)

(* The process, once it knows more of a call that it has in hand. *)
Knowing(p, id, known) ==
  [processes[p] EXCEPT !.inHand = (@ \ {InHand(p, id)}) \cup {known}]

(* A process sends the call of a row, once, unless its key may be forgotten when it arrives *)
(* (reading 3): then the outcome stays open.                                                *)
Send(p, id) ==
  /\ HasInHand(p, id)
  /\ LET dispatch == InHand(p, id)
         issued == dispatch.keyIssuedAt # Never
         keyed == issued /\ Tool(ledger[id].call) \in processes[p].reconcilers
         keyLive == issued /\ KeyIsLive(now - dispatch.keyIssuedAt, KeyLifetime)
         leaves == MaySend(keyed, keyLive)
         request ==
           [process |-> p, sender |-> processes[p].generation, keyed |-> keyed, sentAt |-> now]
     IN  /\ AnswerFirst
         /\ ~dispatch.sent
         /\ processes' = [processes EXCEPT
              ![p] = Knowing(p, id, [dispatch EXCEPT
                       !.sent = TRUE, !.outcome = IF leaves THEN @ ELSE "unknown"])]
         /\ wires' = [wires EXCEPT ![id].requests = IF leaves THEN @ \cup {request} ELSE @]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger>>

(* A process waits no longer for an answer (O-3). *)
GiveUp(p, id) ==
  /\ "GiveUp" \in Hazards
  /\ HasInHand(p, id)
  /\ InHand(p, id).sent
  /\ InHand(p, id).outcome = "none"
  /\ processes' = [processes EXCEPT
       ![p] = Knowing(p, id, [InHand(p, id) EXCEPT !.outcome = "unknown"])]
  /\ UNCHANGED <<run, lock, lookups, now, nodes, rows, ledger, wires>>

(* The sender of a request hears the answer, if it lives and still waits for it. *)
Hearing(id, request, outcome) ==
  LET p == request.process
      hears ==
        /\ p \in Living
        /\ processes[p].generation = request.sender
        /\ \E dispatch \in processes[p].inHand :
             dispatch.row = id /\ dispatch.sent /\ dispatch.outcome = "none"
  IN  IF hears
      THEN [processes EXCEPT ![p] = Knowing(p, id, [InHand(p, id) EXCEPT !.outcome = outcome])]
      ELSE processes

(* A request arrives at the target, whether or not its sender lives. It is "answered"; or done, *)
(* and the answer "unheard"; or "rejected", and not done. The target does what it is asked for, *)
(* unless it knows the key (T-2). A receipt is the first effect's.                              *)
Arrive(id, arrival, result) ==
  \E request \in wires[id].requests :
    LET known == request.keyed /\ wires[id].keySince # Never
        done == arrival # "rejected" /\ ~known
        shows == Tier(ledger[id].call) = "queryable" /\ ledger[id].effects = 0
    IN  /\ now - request.sentAt <= Contract!Travel
        /\ wires' = [wires EXCEPT ![id] = [
             requests |-> @.requests \ {request},
             keySince |-> IF done /\ request.keyed THEN now ELSE @.keySince,
             receipt |-> IF done /\ shows THEN result ELSE @.receipt]]
        /\ ledger' = [ledger EXCEPT ![id].effects = IF done THEN @ + 1 ELSE @]
        /\ processes' =
             CASE arrival = "answered" -> Hearing(id, request, "done")
               [] arrival = "rejected" -> Hearing(id, request, "not done")
               [] arrival = "unheard" -> processes
        /\ UNCHANGED <<run, lock, lookups, now, nodes, rows>>

(* A process is killed, or exits: what it knew is gone, and the kernel drops its lock. *)
Crash(p) ==
  /\ "Crash" \in Hazards
  /\ p \in Living
  /\ processes' = [processes EXCEPT ![p] = Dead]
  /\ lock' = IF lock = p THEN "nobody" ELSE lock
  /\ UNCHANGED <<run, lookups, now, nodes, rows, ledger, wires>>

(* Time passes. *)
Advance ==
  /\ now < Horizon
  /\ now' = now + 1
  /\ UNCHANGED <<run, lock, lookups, processes, nodes, rows, ledger, wires>>

(* The target forgets every idempotency key, once it has kept each for as long as it says. *)
ForgetKeys ==
  LET known == {id \in RowIds : wires[id].keySince # Never}
  IN  /\ KeyLifetime # Contract!ForEver
      /\ known # {}
      /\ \A id \in known : now - wires[id].keySince >= KeyLifetime
      /\ wires' = [id \in RowIds |-> [wires[id] EXCEPT !.keySince = Never]]
      /\ UNCHANGED <<run, lock, lookups, now, processes, nodes, rows, ledger>>

(* The target begins to answer look-ups in another way (reading 2). *)
SetLookups(how) ==
  /\ "SetLookups" \in Hazards
  /\ how # lookups
  /\ lookups' = how
  /\ UNCHANGED <<run, lock, now, processes, nodes, rows, ledger, wires>>

(***************************************************************************)
(* Everything that can happen                                              *)
(***************************************************************************)

(* What a process writes under the fence that it holds. *)
Writes(p) ==
  \/ ReadGate(p)
  \/ ReadGateFails(p)
  \/ BeginIncarnation(p)
  \/ EndInAttention(p)
  \/ EndInFailure(p)
  \/ EndRun(p)
  \/ Approve(p)
  \/ BeginNode(p)
  \/ \E slot \in 0 .. Slots - 1, call \in Calls : Prepare(p, slot, call) \/ PrepareFails(p, slot, call)
  \/ OverBudget(p)
  \/ FollowUpFails(p)
  \/ CompleteNode(p)
  \/ \E id \in RowIds, result \in Results \cup {"none"} : Settle(p, id, result)
  \/ \E id \in RowIds : SettleFails(p, id)

OfProcess(p) ==
  \/ Writes(p)
  \/ \E reconcilers \in {Reconcilers, {}} : ReadGateUnowned(p, reconcilers)
  \/ \E reconcilers \in {Reconcilers, {}}, declaredDead \in BOOLEAN :
       TakeOver(p, reconcilers, declaredDead)
  \/ \E owner \in Processes : Join(p, owner)
  \/ \E id \in RowIds : Send(p, id) \/ GiveUp(p, id)
  \/ Crash(p)

OfOperators ==
  \/ \E id \in RowIds, resolution \in {"accepted", "discarded"} : Resolve(id, resolution)
  \/ \E id \in RowIds : Attach(id)
  \/ Close
  \/ Sweep

OfTheWorld ==
  \/ \E id \in RowIds, arrival \in Arrivals, result \in Results : Arrive(id, arrival, result)
  \/ Advance
  \/ ForgetKeys
  \/ \E how \in {"shown", "hidden", "failing"} : SetLookups(how)

Next ==
  \/ \E p \in Processes : OfProcess(p)
  \/ OfOperators
  \/ OfTheWorld

Spec == Init /\ [][Next]_vars

=============================================================================
