/** The bots to which tokens belong. */
export const names = new Map<string, string>();
