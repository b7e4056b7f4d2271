/** Prism, as a mock of an OpenAPI document, or as a proxy that validates what goes to a server and comes back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findFreePort } from '../scripts/ports.mjs'
import { findProgram } from './places.mjs'

/**
 * @param {readonly string[]} words  `mock` or `proxy` with its arguments
 * @returns {Promise<{ url: string, stop: () => void, ended: Promise<unknown>, lines: readonly string[] }>} with the lines that it prints
 * @throws Error if it ends at once, as for a document without an operation that it knows
 */
export async function startPrism(...words) {
  const port = await findFreePort()
  const child = spawn(process.execPath, [findProgram('@stoplight/prism-cli', 'prism'), ...words, '--port', `${port}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = () => child.kill()
  process.once('exit', stop)
  const ended = once(child, 'exit').then(() => process.off('exit', stop))
  const lines = []
  const printed = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const early = ended.then(() => {
    throw new Error(`Prism ended: ${lines.join(' ')}`)
  })
  while (!lines.some((line) => line.includes('Prism is listening'))) await Promise.race([once(printed, 'line'), early])
  early.catch(() => {})
  return { url: `http://127.0.0.1:${port}`, stop, ended, lines }
}
