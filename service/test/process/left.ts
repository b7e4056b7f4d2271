/** Waits until all clients have disconnected from a service. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Child } from '../hostile/child.ts'

/** How often it is asked, in milliseconds, and how many times: for longer than any request may take. */
const [apart, most] = [100, 120]

/** Resolves when no client is connected any more, or after a time limit. The caller sees which. */
export async function left(service: Child): Promise<void> {
  for (let looks = 0; looks < most && (await service.health()).sockets > 0; looks += 1) await passed(apart)
}
