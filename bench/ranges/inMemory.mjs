/** Starts the comparison in memory, one size after the other. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** What a colour takes, with the copy that is sorted, in bytes. */
const bytesEach = 700

/** Seldom enough that it takes minutes at most. @param {number} rows */
const countPages = (rows) => (rows <= 1e4 ? 20 : rows <= 1e6 ? 3 : 1)

/**
 * @param {readonly number[]} sizes
 * @param {(sentence: string) => void} log
 * @returns {Promise<import('./measure.mjs').Measurement[]>}
 */
export async function measureInMemory(sizes, log) {
  const found = []
  for (const rows of sizes) {
    if (rows * bytesEach > totalmem() / 2) {
      log(`memory: ${rows.toLocaleString('en')} rows would not fit, and are left out`)
      continue
    }
    log(`memory: ${rows.toLocaleString('en')} rows`)
    const heap = Math.max(512, Math.ceil((rows * bytesEach) / 2 ** 20))
    const child = fork(fileURLToPath(new URL('memory.mjs', import.meta.url)), { execArgv: [`--max-old-space-size=${heap}`] })
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`the comparison in memory ended with ${code ?? signal}`)
    })
    ended.catch(() => {})
    child.send({ rows, pages: countPages(rows) })
    const [measured] = await Promise.race([once(child, 'message'), ended])
    found.push(...measured)
  }
  return found
}
