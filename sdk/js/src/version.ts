/** The SDK and its version, for the statistics of the arena. A test compares it with package.json. */
export const SDK = "js/0.1.0";
