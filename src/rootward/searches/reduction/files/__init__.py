"""The search that makes a file smaller, from coarse to fine. This is a map of its modules for the next author.

The search holds the smallest version of the file that was seen to fail, and tries simpler ones. From top to bottom:

- ``coarse_to_fine``: where a verb begins. The models of a world are reduced by the sieve first, then the text.
- ``shrink``: the search itself. ``Shrinker.search`` says in which order things are tried, ``Shrinker.round`` which
  passes a round has, and ``Shrinker.run`` tries the changes of one pass. Read its docstring first: it says what the
  search asks, what the *grain* is, and why the search ends.
- ``passes``: what is proposed. Each pass is a function from a draft and a grain to lists of changes.
- ``moves``: how a list of changes, or the whole text, is tried with few runs. These generators know neither runs nor
  files.
- ``draft``: the current text with its tree. It turns changes of nodes into edits of bytes, and learns on the parser
  which kinds of nodes can be left out (`SlotKnowledge`).
- ``trials``: whether a version still fails: by one run, or by several if the failure is flaky.
- ``file_reduction``: the finding. ``tuning``: the constants.

Trees come from ``formats/documents/syntax`` and languages from ``formats/documents/languages``. A folder or archive is
one text with a header before each member (``formats/bundles``), so that passes need not know about it. The finding is
put into words in ``report/kinds/file_reduction``.

To add a pass, write a function in ``passes`` and call it in ``Shrinker.round``. It need not know the language: a pass
that asks ``TextDraft.is_removable`` and ``TextDraft.fits`` works for all of them. Changes that add mistakes are dropped
before they are run, and an accepted version is always simpler, so a pass can make the search slower but not wrong.
"""
