/** Stops a server of Bun's without losing a request: drains, then closes, then cuts what is left. */
import type { BunServer } from './bunRuntime.ts'
import { type Lifetime, sleep } from './lifetime.ts'
import type { CloseOptions } from './listening.ts'

/** Resolves when the server is closed, and the producers of its streams have ended; whoever calls it answers with `Connection: close` from now on. */
export async function closeBunServer(
  server: BunServer,
  { drain = 1_500, grace = 10_000, settle = 5_000 }: CloseOptions,
  lifetime: Lifetime,
): Promise<void> {
  const begun = Date.now()
  // Bun does not tell how many connections there are, so nobody knows earlier whether somebody will come back.
  await sleep(drain)
  const cut = setTimeout(() => void server.stop(true), Math.max(0, grace - (Date.now() - begun)))
  await server.stop()
  clearTimeout(cut)
  await lifetime.waitForStreams(settle)
}
