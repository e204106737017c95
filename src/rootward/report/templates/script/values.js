/* Values of a document as text, written as in report/text.py. */

const RESERVED = new Set(["true", "false", "none", "null", "nan", "inf", "infinity", "and", "or", "not", "in", "is", "always", "never"]);
const BARE = /^[\p{L}\p{Nl}\p{No}_][\p{L}\p{N}_.\-]*$/u;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]|[^ \P{Zs}]/u;   // what Python does not call printable

const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const cut = (text, limit) => text.length <= limit ? text : `${text.slice(0, limit)}… (${counted(text.length, "character")})`;
const escapes = text => text.replace(/[^\x20-\x7e]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
const visible = text => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu, escapes);

function number(value, float) {
  const size = Math.abs(value);
  if (!float) return String(value);
  if (Object.is(value, -0)) return "-0.0";
  if (size && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

function duration(seconds) {
  const [size, unit] = seconds >= 1 ? [1, "s"] : seconds >= 1e-3 ? [1e3, "ms"] : [1e6, "µs"];
  return seconds >= 100 ? `${Math.round(seconds)} s` : `${Number((seconds * size).toPrecision(3))} ${unit}`;
}

function quoted(text) {
  if (BARE.test(text) && !RESERVED.has(text.toLowerCase())) return text;
  const written = JSON.stringify(text);
  return HIDDEN.test(text) ? written.replace(/[^\x20-\x7e]/g, escapes) : written;
}

const KINDS = {
  int: hex => hex.length > 1026 ? hex : (hex[0] === "-" ? -BigInt(hex.slice(1)) : BigInt(hex)).toString(),
  float: name => name === "nan" ? "NaN" : name,
  bytes: hex => `bytes ${hex}`,
  set: items => `{${items.map(item => text(item)).sort().join(", ")}}`,
  map: items => `{${items.map(([key, item]) => `${text(key)}: ${text(item)}`).join(", ")}}`,
  enum: names => names[2],
  object: written => written,
};

function text(value, float = false) {
  if (value === null) return "none";
  if (typeof value === "number") return number(value, float);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(item => text(item)).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const [[kind, content]] = Object.entries(value);
  return visible(KINDS[kind]?.(content) ?? JSON.stringify(value));
}
