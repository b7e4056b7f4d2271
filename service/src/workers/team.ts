/** Keeps a number of workers running: starts them, replaces those that die, and ends them all. */
import type { Logger } from 'pino'
import type { Adapter, Settings } from '../settings.ts'
import type { Claim } from './claim.ts'
import type { Measured } from './measured.ts'
import { type End, type Member, member } from './member.ts'
import type { FromWorker } from './messages.ts'
import { pace, settling } from './pace.ts'

type Urls = Readonly<Record<string, string>>

export interface TeamOptions {
  readonly settings: Settings
  readonly claim: Claim
  readonly log: Logger
  /** Hears of every worker and of what it has counted. */
  readonly measured: Measured
  /** Called once, with where the deployments are and what carries them, when every worker listens. */
  readonly ready: (urls: Urls, adapter: Adapter) => void
  /** Called once when there is no use in starting workers, with the reason as a sentence. Those that run are not ended yet. */
  readonly broken: (reason: string) => void
}

export interface Team {
  /** Resolves when every worker has drained and ended. Rejects when some had to be killed, a moment after the grace. */
  readonly close: () => Promise<void>
  /** Ends every worker at once. */
  readonly kill: () => void
}

/** For how long a worker may take to notice that its grace is over, in milliseconds. */
const patience = 1_000

export function team({ settings, claim, log, measured, ready, broken }: TeamOptions): Team {
  const members = new Set<Member>()
  const waiting = new Set<NodeJS.Timeout>()
  const { settled, died } = pace(settings.workers)
  let listening = 0
  let started = false
  let closing = false
  let killed = false

  const joined = (pid: number | undefined, urls: Urls, adapter: Adapter): void => {
    listening += 1
    if (started) log.info({ worker: pid }, 'a worker listens')
    if (started || listening < settings.workers) return
    started = true
    ready(urls, adapter)
    // A moment later: whoever starts the service reads first where it is.
    setImmediate(() => {
      for (const one of members) log.info({ worker: one.pid }, 'a worker listens')
    })
  }

  const giveUp = (reason: string): void => {
    closing = true
    setImmediate(broken, reason)
  }

  const join = (): void => {
    let settles: NodeJS.Timeout | undefined
    let hasSettled = false
    let succeeded = false
    let complaint: string | undefined
    const settle = (): void => {
      hasSettled = true
      settled()
      log.debug({ worker: one.pid }, 'a worker has settled')
    }
    /** Sees to its successor, once: when the worker begins to leave, or when it is gone. Answers how long that one waits. */
    const succeed = (): number | undefined => {
      succeeded = true
      const wait = hasSettled ? 0 : died()
      if (wait === undefined) giveUp(`Workers end soon after they are started${complaint === undefined ? '.' : `: ${complaint}`}`)
      else later(wait)
      return wait
    }
    const hear = async (message: FromWorker): Promise<void> => {
      switch (message.tell) {
        case 'up':
          await claim.release()
          one.tell(closing ? { tell: 'close' } : { tell: 'start', ports: claim.ports })
          break
        case 'listening':
          settles = setTimeout(settle, settling)
          measured.joined(one)
          joined(one.pid, message.urls, message.adapter)
          break
        case 'failed':
          complaint = message.complaint
          // At the first start nothing is tried again: the person who can mend it is there.
          if (!started && !closing) giveUp(complaint)
          break
        case 'measured':
          measured.heard(one, message.metrics)
          break
        case 'leaving':
          if (!closing) succeed()
          break
        case 'closed':
          one.tell({ tell: 'go' })
      }
    }
    const replace = ({ code, signal, lived }: End): void => {
      members.delete(one)
      measured.left(one)
      clearTimeout(settles)
      if (settles !== undefined) listening -= 1
      if (killed || (closing && code === 0)) return
      const next = closing || succeeded ? undefined : succeed()
      log.error({ worker: one.pid, code, signal, lived, complaint, next }, 'a worker ended')
    }
    const one = member(hear)
    members.add(one)
    one.ended.then(replace)
  }

  const later = (wait: number): void => {
    const timer = setTimeout(() => {
      waiting.delete(timer)
      join()
    }, wait)
    waiting.add(timer)
  }

  const kill = (): void => {
    closing = true
    killed = true
    for (const one of members) one.kill()
  }

  const close = async (): Promise<void> => {
    closing = true
    for (const timer of waiting) clearTimeout(timer)
    for (const one of members) one.tell({ tell: 'close' })
    const last = setTimeout(() => {
      log.error({ workers: [...members].map(({ pid }) => pid) }, 'workers that did not end in time are killed')
      kill()
    }, settings.shutdownGrace + patience)
    await Promise.all([...members].map(({ ended }) => ended))
    clearTimeout(last)
    if (killed) throw new Error('Workers did not end in time.')
  }

  for (let count = 0; count < settings.workers; count += 1) join()
  return Object.freeze({ close, kill })
}
