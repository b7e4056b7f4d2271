/** What a call throws. */

/** Resolves to it. @throws Error where the call gives a value instead. */
export async function thrown(call: () => Promise<unknown>): Promise<unknown> {
  const outcome = await call().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error(`It gave ${JSON.stringify(outcome.value)}, and threw nothing.`)
  return outcome.error
}
