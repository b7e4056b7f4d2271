/** Returns a free port of 127.0.0.1, a different one at each call. */
export function findFreePort(): Promise<number>
