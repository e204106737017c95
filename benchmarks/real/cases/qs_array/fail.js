// Read a query string with an index: the result should be an array.
"use strict";
const qs = require("qs");

class NoArray extends Error {
  get name() {
    return "NoArray";
  }
}

exports.run = function (config) {
  const read = qs.parse(`a[${config.index}]=x`, { arrayLimit: config.limit, parseArrays: config.parse_arrays });
  if (!Array.isArray(read.a)) throw new NoArray(JSON.stringify(read));
};

if (require.main === module) exports.run(JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")));
