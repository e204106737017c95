"""Triage: find where recorded traces depart from a model of the requirements, why, and which of them share a cause.

The life of a trace:

- It is **read** from a recording (`recordings`) as a list of events (`model.event`).
- `scope` decides which part of it the model can judge, and `running.replay` **runs** it through the model
  (`running.engine`). The model (`model.model`) is a network of automata: read from a file (`languages`)
  and checked by `linting`, or **learned** from good recordings (`learning`).
- Where no state of the model is left, a **fault is located** (`fault`). `examine` does all the work on one trace.
- `proving.proof` **proves** the fault: a condition before each step, as weak as can be found, accepted by
  `proving.check`.
- `proving.explain` **explains** it: the few messages that matter, and the edges that last wrote what they rely on.
- `running.recovery` **continues** after it from everything that may have happened.
- `grouping.classify` **groups** faults by cause: the smallest change of the model with which their traces conform
  (`grouping.mutants`, `grouping.cover`). `grouping.timing` decides which of them are equal in the paper's sense.
- `output` **reports** them: words, data, JUnit, remarks in a copy of the recording, and certificates that can be
  checked independently.

Five files matter most: `triage`, `model/model`, `running/engine`, `proving/proof` and `grouping/classify`.
"""
