/** Closes the connections that were on their way to a worker when it died. Node forgets them, and their clients would wait for ever. */
import type { ChildProcess } from 'node:child_process'

/** What the cluster of node tells a worker with a connection, and how the worker confirms it: `lib/internal/cluster`, as it is in Node 20. */
interface Internal {
  readonly act?: unknown
  readonly key?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}

interface Connection {
  /** Does nothing the second time. */
  readonly close: () => void
}

/** Watches over what is sent to this process. Where a version of node says it otherwise, nothing is seen and nothing done. */
export function closeOnTheirWay(child: ChildProcess): void {
  const { send } = child
  /** By deployment: a worker gets the next connection when it has confirmed the last. */
  const unconfirmed = new Map<unknown, { readonly seq: unknown; readonly connection: Connection }>()
  const watched = (message: Internal, connection?: Connection, ...rest: readonly unknown[]): boolean => {
    if (message.act === 'newconn' && connection !== undefined) unconfirmed.set(message.key, { seq: message.seq, connection })
    return Reflect.apply(send, child, [message, connection, ...rest])
  }
  child.send = watched as ChildProcess['send'] // its overloads, which only differ in what may be left out
  child.on('internalMessage', ({ ack }: Internal) => {
    for (const [key, { seq }] of unconfirmed) if (seq === ack) unconfirmed.delete(key)
  })
  // By then all that it has confirmed is known. Node does not speak of a disconnection while a connection is on its way.
  child.once('close', () => {
    for (const { connection } of unconfirmed.values()) connection.close()
  })
}
