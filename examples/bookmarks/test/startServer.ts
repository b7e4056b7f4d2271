/** The server as its users start it: in a process of its own, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))

export interface StartedServer {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts the server with these variables, and waits for the URL that it prints. */
export async function startServer(environment: Readonly<Record<string, string>>): Promise<StartedServer> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server.ts'], {
    cwd: project,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url }
}
