/** Names of bots by their tokens. */
export const names = new Map<string, string>();
