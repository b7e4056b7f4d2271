/**
 * Each example as a stranger has it: out of the repository, with the packed packages. Both lines of TypeScript accept it, its own tests pass, and it
 * starts, answers where it says, and stops.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runCommand, runNode, waitForAll } from '../command.mjs'
import { classic, compilers } from '../compiler.mjs'
import { log } from '../log.mjs'

/** Runs `npm start` on a free port, requests the first URL that it prints, and stops it. @param {string} cwd */
async function startAndRequest(cwd) {
  // npm and what it starts are a group of processes, which the terminal of a user stops as a whole.
  const child = spawn('npm', ['start'], {
    cwd,
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    if (process.platform === 'win32') child.kill(signal)
    else if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal)
  }
  const kill = () => stop('SIGKILL')
  process.once('exit', kill)
  const closed = once(child, 'close')
  try {
    let url
    const lines = createInterface({ input: child.stdout })
    for await (const line of lines) {
      url = /https?:\/\/\S+/.exec(line)?.[0]
      if (url !== undefined) break
    }
    assert(url, `"npm start" in ${cwd} ended, and has printed no URL`)
    child.stdout.resume()
    const { status } = await fetch(url)
    assert.equal(status, 200, url)
    stop('SIGTERM')
    await closed
    await assert.rejects(fetch(url), `${url} still answers`)
  } finally {
    kill()
    process.off('exit', kill)
  }
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ examples }) {
  const { names, locate } = await examples()
  const check = async (/** @type {string} */ name) => {
    const cwd = locate(name)
    log(`examples: ${name} …`)
    await runCommand('npm', ['run', 'check'], { cwd })
    await runCommand('npm', ['test'], { cwd })
    await startAndRequest(cwd)
  }
  // Two at a time: more of them would wait for a processor, and for each other's time limits.
  const waiting = [...names]
  const checkAll = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await check(name)
  }
  // The compiler that is written in JavaScript reads all of them in one process, beside the tests.
  const compileAll = () =>
    runNode(classic.program, ['--build', '--pretty', 'false', ...names.map((name) => join(locate(name), 'tsconfig.json'))])
  await waitForAll([checkAll(), checkAll(), compileAll()])
  const versions = compilers.map(({ version }) => version).join(' and ')
  return `${names.length} projects (${names.join(', ')}) with one installation: types under TypeScript ${versions}, tests, start, a request, stop`
}
