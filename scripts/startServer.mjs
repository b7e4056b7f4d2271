// Starts a server in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Starts a program of Node.js in a folder. It ends with this process at the latest. */
export function startProgram(words, project, environment = {}) {
  const child = spawn(process.execPath, words, {
    cwd: project,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  // Before the folder of its files is removed.
  process.prependOnceListener('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

/** Starts a program of Node.js in a folder, on a free port, and waits for the URL that it prints first. */
export async function startServer(words, project, environment = {}) {
  const child = startProgram(words, project, environment)
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url }
}
