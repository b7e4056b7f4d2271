/** A port of 127.0.0.1 that nobody listens on, a different one at each call. */
export function freePort(): Promise<number>
