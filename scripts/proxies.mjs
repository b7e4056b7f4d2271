// Starts HAProxy and Caddy as ordinary processes in front of replicas on this machine, with the deployed configurations.
import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './executable.mjs'
import { findFreePort } from './ports.mjs'
import { unprivileged } from './unprivileged.mjs'

/** In PATH, or where Debian puts it, which PATH often lacks. */
const findProgram = (name) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'].map((folder) => join(folder, name)).find(isExecutable)

const readDeployed = (name) => readFileSync(fileURLToPath(new URL(`../deploy/${name}`, import.meta.url)), 'utf8')

/** Each replaces the address and the replicas, and nothing else. */
const kinds = {
  haproxy: {
    file: 'haproxy.cfg',
    words: (path) => ['-db', '-f', path],
    render: (text, port, hosts) =>
      text
        .replace('bind :8081', `bind 127.0.0.1:${port}`)
        .replace(/(?: {2}server .*\n)+/, hosts.map((host, index) => `  server replica${index} ${host}\n`).join('')),
  },
  caddy: {
    file: 'Caddyfile',
    words: (path) => ['run', '--config', path, '--adapter', 'caddyfile'],
    render: (text, port, hosts) =>
      `{\n\tadmin off\n}\n${text
        .replace(/^:8081 /m, `http://:${port} {\n\tbind 127.0.0.1\n`)
        .replace('bind 127.0.0.1\n{\n', 'bind 127.0.0.1\n')
        .replace(/reverse_proxy .* \{/, `reverse_proxy ${hosts.join(' ')} {`)}`,
  },
}

/** The path of the program, or undefined where it is missing. */
export const findProxy = (kind) => findProgram(kind)

async function accepts(port) {
  const socket = connect(port, '127.0.0.1')
  const accepted = await new Promise((done) => {
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
  })
  socket.destroy()
  return accepted
}

/** Starts a proxy of this kind in front of these URLs. `change` edits the configuration, as an operator would. */
export async function startProxy(kind, urls, change = (text) => text) {
  const { file, words, render } = kinds[kind]
  const folder = mkdtempSync(join(tmpdir(), `lapidary-${kind}-`))
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const port = await findFreePort()
  const path = join(folder, file)
  writeFileSync(
    path,
    change(
      render(
        readDeployed(file),
        port,
        urls.map((url) => new URL(url).host),
      ),
    ),
  )
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(findProgram(kind), words(path), { ...unprivileged, cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-100_000)
    })
  const ended = new Promise((done) => {
    child.once('error', done)
    child.once('close', done)
  })
  const last = () => child.kill('SIGKILL')
  process.once('exit', last)
  async function stop() {
    process.off('exit', last)
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const deadline = Date.now() + 10_000
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`${kind} did not start: ${output}`)
    }
    await new Promise((later) => setTimeout(later, 20))
  }
  return Object.freeze({ url: `http://127.0.0.1:${port}`, output: () => output, stop })
}
