/** The metrics of all workers as those of one service, for as long as there is a parent: workers that end take no counts with them. */
import type { Snapshot } from '../observe/metrics.ts'
import type { Member } from './member.ts'

export interface Measured {
  readonly joined: (member: Member) => void
  /** It has told its metrics. */
  readonly heard: (member: Member, metrics: Snapshot) => void
  /** It is gone, and what it told last is kept. */
  readonly left: (member: Member) => void
  /** Asks every worker and tells what they say, and what was heard last from those that do not answer in time. */
  readonly text: () => Promise<string>
}

/** How long a scrape waits for workers that are busy, or stuck, in milliseconds; Prometheus itself waits for ten seconds. */
const patience = 1_000

/** Loaded only where somebody wants to see metrics. */
const expositions = (): Promise<typeof import('../observe/exposition.ts')> => import('../observe/exposition.ts')

export function measured(): Measured {
  const last = new Map<Member, Snapshot>()
  /** Who is asked, and the scrapes that wait for each. */
  const asked = new Map<Member, Set<() => void>>()
  let gone: Promise<Snapshot> = Promise.resolve([])

  const answered = (member: Member): void => {
    for (const go of asked.get(member) ?? []) go()
    asked.get(member)?.clear()
  }

  const ask = (member: Member): Promise<void> =>
    new Promise((resolve) => {
      const late = setTimeout(resolve, patience)
      asked.get(member)?.add(() => {
        clearTimeout(late)
        resolve()
      })
      member.tell({ tell: 'measure' })
    })

  return Object.freeze({
    joined: (member) => void asked.set(member, new Set()),
    heard: (member, metrics) => {
      last.set(member, metrics)
      answered(member)
    },
    left: (member) => {
      const final = last.get(member)
      last.delete(member)
      if (final !== undefined) gone = gone.then(async (before) => (await expositions()).remains([before, final]))
      answered(member)
      asked.delete(member)
    },
    text: async () => {
      await Promise.all([...asked.keys()].map(ask))
      const { exposition } = await expositions()
      return exposition([await gone, ...last.values()])
    },
  } satisfies Measured)
}
