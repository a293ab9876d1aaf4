/** The SDK and its version, for the statistics of the arena; a test compares with package.json. */
export const SDK = "js/0.1.0";
