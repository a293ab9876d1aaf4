// A bot that computes in threads, in a process of its own.

import { azul, inThreads, run, TimeClass } from "azulejo-sdk";

await run(inThreads(new URL("./spinning.js", import.meta.url), { threads: 2 }), {
  register: "threads/threaded",
  rulesets: [azul(2)],
  timeClasses: [TimeClass.RAPID],
  stopAfter: 1,
});
