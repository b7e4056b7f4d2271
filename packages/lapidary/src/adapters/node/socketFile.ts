/** The file of a Unix socket: what a process has left behind, and its permissions. */
import { type BigIntStats, lstatSync, rmSync } from 'node:fs'
import { connect } from 'node:net'

/** Whether a process listens on a socket. */
const hasListener = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    const settle = (isListening: boolean): void => {
      socket.destroy()
      resolve(isListening)
    }
    socket.once('connect', () => settle(true))
    // Nothing listens, or the file has gone meanwhile. Another error says nothing of it.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => settle(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })

/** What is at a path; undefined where nothing is, or nothing that this process can see. An abstract socket of Linux is no file. */
function findSocket(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

/**
 * Removes the file of a socket on which nothing listens: a process that was killed leaves it behind. No other file is removed, and none that
 * another process has put there meanwhile: workers start at the same time.
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = findSocket(path)
  if (found?.isSocket() !== true || (await hasListener(path))) return
  const current = findSocket(path)
  if (current?.ino === found.ino && current.ctimeNs === found.ctimeNs) rmSync(path, { force: true })
}
