/** The text of llms.txt. */
export function createLlmsText(): string
