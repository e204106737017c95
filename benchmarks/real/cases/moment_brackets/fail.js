// Read a date from a text that is none. It must not take more than 40 ms of processor time.
"use strict";
const moment = require("moment");

moment.suppressDeprecationWarnings = true;
const MAX_MILLISECONDS = 40;
const PARSERS = { any: undefined, "YYYY-MM-DD": "YYYY-MM-DD", "RFC 2822": moment.RFC_2822 };

class TooSlow extends Error {
  get name() {
    return "TooSlow";
  }
}

exports.run = function (config) {
  const start = process.cpuUsage();
  moment(config.character.repeat(config.count), PARSERS[config.parser], config.strict);
  const used = process.cpuUsage(start);
  if ((used.user + used.system) / 1000 > MAX_MILLISECONDS) throw new TooSlow();
};

if (require.main === module) exports.run(JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")));
