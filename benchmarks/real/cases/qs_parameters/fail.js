// Write many parameters and read them back.
"use strict";
const qs = require("qs");

class Dropped extends Error {
  get name() {
    return "Dropped";
  }
}

exports.run = function (config) {
  const values = {};
  for (let i = 0; i < config.count; i++) values[`key${i}`] = config.arrays ? ["x"] : "x";
  const text = qs.stringify(values, { delimiter: config.delimiter, addQueryPrefix: config.prefix });
  const back = qs.parse(text, { delimiter: config.delimiter, ignoreQueryPrefix: config.prefix });
  if (Object.keys(back).length !== config.count) throw new Dropped(String(Object.keys(back).length));
};

if (require.main === module) exports.run(JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")));
