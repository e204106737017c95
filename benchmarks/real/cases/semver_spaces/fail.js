// Read a range of versions; a range that is none is refused. It must not take more than 80 ms of processor time.
"use strict";
const semver = require("semver");

const MAX_MILLISECONDS = 80;

class TooSlow extends Error {
  get name() {
    return "TooSlow";
  }
}

exports.run = function (config) {
  const start = process.cpuUsage();
  semver.validRange(config.before + " ".repeat(config.spaces) + config.after, config.loose);
  const used = process.cpuUsage(start);
  if ((used.user + used.system) / 1000 > MAX_MILLISECONDS) throw new TooSlow();
};

if (require.main === module) exports.run(JSON.parse(require("fs").readFileSync(process.argv[2], "utf8")));
