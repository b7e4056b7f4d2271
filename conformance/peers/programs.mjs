/** Runs a tool as its user does, for a minute at most. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'

/** The longest duration in seconds. A machine that other work shares needs more. */
export const limit = Number(process.env.LIMIT ?? 60)

/**
 * @param {readonly string[]} words  of Node.js: the file of the program, and its arguments
 * @param {string} cwd
 * @returns {Promise<string>} what it printed, with its errors. A program that takes longer is killed.
 */
export async function runTool(words, cwd) {
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const timer = setTimeout(kill, limit * 1000)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  await once(child, 'close')
  clearTimeout(timer)
  process.off('exit', kill)
  return stripVTControlCharacters(output)
}
