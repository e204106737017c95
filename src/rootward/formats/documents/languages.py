"""Recognise the language of a file: by its content first, then by the ending of its name."""

from __future__ import annotations

import re

_ENDINGS = {
    "actionscript": "as",
    "ada": "adb ads",
    "bash": "sh bash zsh ksh",
    "bibtex": "bib",
    "c": "c i h",
    "clojure": "clj cljs edn",
    "cmake": "cmake",
    "cpp": "cc cpp cxx hpp hh hxx ii ipp tpp",
    "csharp": "cs",
    "css": "css",
    "csv": "csv tsv",
    "text": "txt log",
    "cuda": "cu cuh",
    "d": "d",
    "dart": "dart",
    "dockerfile": "dockerfile",
    "elixir": "ex exs",
    "elm": "elm",
    "erlang": "erl hrl",
    "fortran": "f f90 f95 f03 f08 for",
    "fsharp": "fs fsx",
    "glsl": "glsl vert frag",
    "go": "go",
    "graphql": "graphql gql",
    "groovy": "groovy gradle",
    "haskell": "hs",
    "hcl": "hcl",
    "html": "html htm xhtml",
    "ini": "ini cfg conf",
    "java": "java",
    "javascript": "js mjs cjs jsx",
    "json": "json geojson ipynb jsonc json5 topojson webmanifest",
    "julia": "jl",
    "kotlin": "kt kts",
    "latex": "tex sty cls",
    "llvm": "ll",
    "lua": "lua",
    "make": "mk makefile",
    "markdown": "md markdown",
    "matlab": "m",
    "meson": "meson",
    "nim": "nim",
    "nix": "nix",
    "objc": "mm",
    "ocaml": "ml",
    "org": "org",
    "pascal": "pas",
    "perl": "pl pm",
    "php": "php",
    "powershell": "ps1",
    "properties": "properties",
    "proto": "proto",
    "python": "py pyi pyw",
    "r": "r",
    "racket": "rkt",
    "rst": "rst",
    "ruby": "rb",
    "rust": "rs",
    "scala": "scala",
    "scheme": "scm",
    "scss": "scss",
    "solidity": "sol",
    "sql": "sql",
    "svelte": "svelte",
    "swift": "swift",
    "systemverilog": "sv",
    "tcl": "tcl",
    "terraform": "tf",
    "thrift": "thrift",
    "toml": "toml",
    "tsx": "tsx",
    "typescript": "ts mts cts",
    "verilog": "v vh",
    "vhdl": "vhd vhdl",
    "vue": "vue",
    "wat": "wat",
    "xml": "xml svg sdf world urdf mjcf xsd xsl rss kml gpx launch xacro plist vcxproj csproj graphml xlf",
    "yaml": "yaml yml",
    "zig": "zig",
}
_BY_ENDING = {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}
_SHELLS = {"sh": "bash", "bash": "bash", "zsh": "bash", "python": "python", "node": "javascript", "perl": "perl"}
_STARTS = (
    (re.compile(rb"(?i)\s*(?:<!--.*?-->\s*)*+<!doctype\s+html|\s*<html[\s>]", re.DOTALL), "html"),
    (re.compile(rb"\s*<\?xml[\s?]"), "xml"),
    (re.compile(rb"\s*(?:<!--.*?-->\s*)*+<(svg|sdf|robot|mujoco)[\s>]", re.DOTALL), "xml"),
)
_JSON_START = re.compile(
    rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*+(?:\{\s*(?:\"|\}|//|/\*)|\[\s*(?:[\"\[{\d\]-]|true|false|null|//|/\*))", re.DOTALL
)
_SHEBANG = re.compile(rb"#![^\n]*?([a-z]+)[\d.]*\s*(?:\n|$|-)")


def recognise(name: str, data: bytes) -> str:
    """Return the language of a file: a name of tree-sitter's, ``text`` or ``bytes``."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data[:8192] or not _is_text(data):
        return "bytes"
    ending = name.lower().rpartition("/")[2].rpartition(".")[2]
    by_ending = _BY_ENDING.get(ending)
    for pattern, language in _STARTS:
        if pattern.match(data):
            return language
    if _JSON_START.match(data) and by_ending in (None, "json", "yaml"):
        return "json"
    if data[:2] == b"#!" and (found := _SHEBANG.match(data)) and found[1].decode() in _SHELLS:
        return _SHELLS[found[1].decode()]
    return by_ending or "text"


def _is_text(data: bytes) -> bool:
    """Return True if nearly all of the data is UTF-8 text or printable."""
    try:
        data.decode()
    except UnicodeDecodeError:
        strange = len(re.findall(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x80-\xff]", data))
        return strange <= len(data) // 20
    return True
