/** No answer, or not all of it: nobody listened, the way was cut. */

/** What a call throws when the server cannot be reached, or goes away before its answer is complete. `cause` has what the carrier said. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** What a carrier's error says, in a few words; that of Node's `fetch` stands in its cause. */
export function getCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return getCauseMessage(error.cause)
  return String(error.message || (error as Error & { readonly code?: unknown }).code || error.name)
}
