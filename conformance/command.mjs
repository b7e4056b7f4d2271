/** Runs a program to its end, and returns its output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string>>} [environment]  beside that of this process
 * @property {string} [input]
 * @property {boolean} [withErrors]  whether to return standard error as well
 */

/**
 * Returns what the program writes to standard output.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {CommandOptions} options
 * @throws Error with its whole output, when it fails
 */
export async function runCommand(program, words, { cwd, environment = {}, input = '', withErrors = false } = {}) {
  const shell = process.platform === 'win32' && program === 'npm'
  const child = spawn(program, words, { cwd, shell, env: { ...process.env, ...environment }, stdio: 'pipe' })
  const output = { stdout: '', stderr: '' }
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  // It may end without having read all of it, which its status shows better.
  child.stdin.once('error', () => {})
  child.stdin.end(input)
  const killChild = () => child.kill()
  process.once('exit', killChild)
  const [status, signal] = await once(child, 'close')
  process.off('exit', killChild)
  if (status === 0) return withErrors ? output.stdout + output.stderr : output.stdout
  throw new Error(`"${[program, ...words].join(' ')}" ended with ${status ?? signal}:\n${output.stdout}${output.stderr}`)
}

/**
 * Waits for all of them, even when one fails: a command that still runs would write into removed folders.
 * @param {readonly Promise<unknown>[]} running
 */
export async function waitForAll(running) {
  for (const { reason } of await Promise.allSettled(running)) if (reason !== undefined) throw reason
}

/** A program of Node's, by its file. @param {string} file @param {readonly string[]} words @param {CommandOptions} [options] */
export const runNode = (file, words, options) => runCommand(process.execPath, [file, ...words], options)
