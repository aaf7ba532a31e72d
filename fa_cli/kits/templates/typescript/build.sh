# Makes bot.js of bot.ts: with the compiler, which checks the types, or else with a Node that can leave them out.
if command -v tsc >/dev/null; then
  exec tsc -p .
fi
exec node --input-type=module -e '
import { readFileSync, writeFileSync } from "node:fs";
import * as module from "node:module";
if (!module.stripTypeScriptTypes) {
  console.error("neither tsc (npm install -g typescript) nor Node 22.13 or later is here");
  process.exit(127);
}
writeFileSync("bot.js", module.stripTypeScriptTypes(readFileSync("bot.ts", "utf8")));
'
