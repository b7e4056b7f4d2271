/** Opens what is not ready yet: a file that another process is opening, a server that is starting. */

import { setTimeout } from 'node:timers/promises'

/** How long opening waits, in milliseconds. */
export const openWait = 5000

/** What `action` gives, tried again, `pause` milliseconds later, while it throws what may pass; when the wait is over it throws that. */
export async function persistently<Result>(
  action: () => Result,
  mayPass: (error: unknown) => boolean,
  pause: number,
): Promise<Awaited<Result>> {
  const deadline = Date.now() + openWait
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (!mayPass(error) || Date.now() > deadline) throw error
      await setTimeout(pause)
    }
  }
}
