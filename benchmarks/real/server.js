// The persistent worker for cases in JavaScript: runs `run` of a fail.js once for each line of input. See server.py.
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");

const loaded = new Map();

function answer(request) {
  if (!loaded.has(request.case)) loaded.set(request.case, require(path.join(request.case, "fail.js")).run);
  try {
    loaded.get(request.case)(request.config);
  } catch (error) {
    return { fails: error.name || String(error), detail: String(error.message || "").slice(0, 300) };
  }
  return { fails: null, detail: "" };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  fs.writeSync(1, JSON.stringify(answer(JSON.parse(line))) + "\n");
});
