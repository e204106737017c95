// Write a nested object and read it back.
"use strict";
const qs = require("qs");

class OtherObject extends Error {
  get name() {
    return "OtherObject";
  }
}

exports.run = function (config) {
  let value = "x";
  for (let i = 0; i < config.depth; i++) value = { b: value };
  const text = qs.stringify({ a: value }, { allowDots: config.dots });
  const back = qs.parse(text, { depth: config.limit, allowDots: config.dots });
  if (JSON.stringify(back) !== JSON.stringify({ a: value })) throw new OtherObject(JSON.stringify(back));
};

if (require.main === module) exports.run(JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")));
