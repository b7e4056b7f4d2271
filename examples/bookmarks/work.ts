/** What goes on behind the requests: webhooks, and checks of links. Users name the URLs, so run it where no internal server is in reach. */
import { setTimeout } from 'node:timers/promises'
import type { Bookmark } from './api.ts'
import { sign } from './auth.ts'
import type { Change, Store, Webhook } from './store.ts'

/** The status of a response; 0 where none comes within five seconds. */
async function request(url: string, init: RequestInit): Promise<number> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status ?? 0
}

async function send({ url, secret }: Webhook, { id, event, data }: Change): Promise<boolean> {
  const body = JSON.stringify({ event, data })
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = sign(secret, `${id}`, timestamp, body)
  const headers = { 'Webhook-Id': `${id}`, 'Webhook-Timestamp': `${timestamp}`, 'Webhook-Signature': signature }
  const status = await request(url, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body })
  return status >= 200 && status < 300
}

/** Sends the changes that webhooks do not know, and returns what checks links. */
export function startWork({ read, write, bell }: Store) {
  const busy = new Set<number>()
  /** Sends each change again, after pauses that double, until it is accepted. The next process goes on where this one ends. */
  async function deliver(webhook: Webhook): Promise<void> {
    const { account, sent } = webhook
    if (busy.has(account)) return
    busy.add(account)
    for (const change of read.changes(account, sent)) {
      for (
        let pause = 1_000;
        change.event === 'added' && !(await send(read.webhook(account) ?? webhook, change));
        pause = Math.min(2 * pause, 3_600_000)
      )
        await setTimeout(pause)
      await write((tx) => tx.setSent(account, change.id))
    }
    busy.delete(account)
  }
  const deliverAll = () => read.webhooks().forEach((webhook) => void deliver(webhook))
  bell.on('change', deliverAll)
  deliverAll()
  return async (account: number, check: number, bookmarks: readonly Bookmark[]): Promise<void> => {
    for (const { id, url } of bookmarks) {
      const status = await request(url, { method: 'HEAD' })
      await write((tx) => tx.advanceCheck(account, check, id, [0, 404, 410].includes(status)))
    }
  }
}
