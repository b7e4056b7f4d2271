import { on } from 'node:events'
import type { Handlers } from 'lapidary/server'
import type { api } from '../api.ts'
import type { WithMember } from '../guards.ts'
import { findLastChange, readChanges, type Store } from '../store.ts'

export const createEventHandler = ({ database, bell }: Store): Handlers<typeof api.org, WithMember>['events'] =>
  async function* ({ member: { org }, headers }, { signal, shutdown }) {
    const end = AbortSignal.any([signal, shutdown])
    // It listens before it reads the log, so that nothing is lost in between.
    const rings = on(bell, 'change', { signal: end })
    let last = headers['Last-Event-ID'] ?? (await findLastChange(database, org))
    try {
      for (; ; await rings.next())
        for (const { id, ...change } of await readChanges(database, org, last)) {
          last = id
          yield { ...change, id: `${id}` }
        }
    } catch (error) {
      if (!end.aborted) throw error
    }
  }
