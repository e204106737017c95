"""Triage: where a recorded trace departs from a model of what is required, why, and which traces do so alike.

The life of a trace:

- It is **read** from a recording (`recordings`) as a list of events (`model.event`).
- `scope` says what the model can judge of it, and `running.replay` **runs** it through the model (`running.engine`).
  The model (`model.model`) is a network of automata, written in a file (`writing`) and checked by `linting`.
- Where no run of the model is left, a **fault is located** (`fault`). `examine` puts together all about one trace.
- `proving.proof` **proves** it: a condition before each step, as weak as can be found, which `proving.check` accepts.
- `proving.explain` **explains** it: the few messages that matter, and who last wrote what they rely on.
- `grouping.classify` **groups** faults by cause: the smallest change of the model with which their traces conform
  (`grouping.mutants`). `grouping.timing` says which are equal in the paper's sense.
- `output` **reports** it: words, data, JUnit, remarks in a copy of the recording, and certificates to check again.

Five files matter most: `triage`, `model/model`, `running/engine`, `proving/proof` and `grouping/classify`.
"""
