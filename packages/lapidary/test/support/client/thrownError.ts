/** The error that a call throws. */

/** Resolves to the error. @throws Error if the call resolves instead. */
export async function thrown(call: () => Promise<unknown>): Promise<unknown> {
  const outcome = await call().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error(`It gave ${JSON.stringify(outcome.value)}, and threw nothing.`)
  return outcome.error
}
