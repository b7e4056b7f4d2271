/** Closes connections that were on their way to a worker when it died. Node's cluster forgets them, and their clients would wait. */
import type { ChildProcess } from 'node:child_process'

/** Node's internal cluster messages: a connection for a worker, and its confirmation (`lib/internal/cluster` of Node 20). */
interface ClusterMessage {
  readonly act?: unknown
  readonly key?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}

interface ConnectionHandle {
  readonly close: () => void
}

/**
 * Observes what is sent to the process. A version of Node with other messages disables it: nothing is recorded, and a client of such a
 * connection waits until its own timeout. Closing a connection that was delivered has no effect.
 */
export function closeUndelivered(child: ChildProcess): void {
  const { send } = child
  /** The unconfirmed connection of each listening server. A worker gets the next one after it has confirmed the last. */
  const pending = new Map<unknown, { readonly seq: unknown; readonly connection: ConnectionHandle }>()
  const observedSend = (message: ClusterMessage | null, connection?: ConnectionHandle, ...rest: readonly unknown[]): boolean => {
    if (message?.act === 'newconn' && typeof connection?.close === 'function') pending.set(message.key, { seq: message.seq, connection })
    return Reflect.apply(send, child, [message, connection, ...rest])
  }
  child.send = observedSend as ChildProcess['send'] // its overloads differ only in optional parameters
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    for (const [key, { seq }] of pending) if (seq === ack) pending.delete(key)
  })
  // All confirmations have arrived before `close`.
  child.once('close', () => {
    for (const { connection } of pending.values()) connection.close()
  })
}
