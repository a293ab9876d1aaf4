// A bot on a page: it plays a match and posts the result to the server of the page.

import { azul, connectEngine, run, type FairPlay, type MatchEnded } from "azulejo-sdk";

const wanted = new URLSearchParams(location.search);
const server = wanted.get("server") ?? "";
const ends: { match: string; turns: number; reason: number; verdict: string }[] = [];

async function play(): Promise<object> {
  const engine = connectEngine({ server });
  const { state } = await engine.newGame(azul(2), { seed: 1 });
  const refused: unknown =
    state && (await engine.apply(state, "cB1").catch((error: unknown) => error));
  await run(
    {
      choose: ({ turn, legalMoves }) => legalMoves[turn % legalMoves.length] ?? "no move",
      matchEnded: ({ match, seat }: MatchEnded, { verdict }: FairPlay) => {
        const reason = match?.result?.seats[seat]?.endReason ?? 0;
        ends.push({ match: match?.id ?? "", turns: match?.turns ?? 0, reason, verdict });
      },
    },
    { server, token: wanted.get("token") ?? "", rulesets: [azul(2)], stopAfter: 1 },
  );
  return { ends, refused: (refused as { reason?: string } | undefined)?.reason };
}

const result = await play().catch((error: unknown) => ({ error: String(error) }));
await fetch("/result", { method: "POST", body: JSON.stringify(result) });
