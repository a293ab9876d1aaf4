export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
export const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));
