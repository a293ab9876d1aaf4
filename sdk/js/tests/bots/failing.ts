import { serveThread } from "azulejo-sdk";

serveThread(() => {
  throw new Error("in a thread");
});
