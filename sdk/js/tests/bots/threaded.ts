// A bot that computes in threads, in its own process.

import { azul, inThreads, run, TimeClass } from "azulejo-sdk";

await run(inThreads(new URL("./spinning.js", import.meta.url), { threads: 2 }), {
  register: "threads/threaded",
  rulesets: [azul(2)],
  timeClasses: [TimeClass.RAPID],
  stopAfter: 1,
});
