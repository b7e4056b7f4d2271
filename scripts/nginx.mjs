// Starts nginx as an ordinary process in front of replicas on this machine, with the deployed configuration.
import { spawn } from 'node:child_process'
import { chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './executable.mjs'
import { findFreePort } from './ports.mjs'
import { unprivileged } from './unprivileged.mjs'

const deployed = fileURLToPath(new URL('../deploy/nginx.conf', import.meta.url))

/** The deployments by their ports in the configuration. */
const deployments = { 8081: 'main', 1442: 'pagination', 8082: 'docs' }

/** The path of nginx, or undefined where it is missing: in PATH, or where Debian puts it, which PATH often lacks. */
export const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  .map((folder) => join(folder, 'nginx'))
  .find(isExecutable)

/** Replaces every match. @throws Error when there is none, since the configuration has changed */
function replaceEvery(text, pattern, by) {
  const result = text.replace(pattern, by)
  if (result === text) throw new Error(`deploy/nginx.conf has no match for ${pattern}. Change scripts/nginx.mjs to fit it.`)
  return result
}

/**
 * The deployed configuration for these replicas (each with the URL of each deployment) and these ports of 127.0.0.1. It writes into this folder only.
 * Nothing else changes.
 */
export function renderConfiguration(replicas, ports, folder) {
  const servers = (_line, indent, port, rest) =>
    replicas.map((urls) => `${indent}server ${new URL(urls[deployments[port]]).host} ${rest}`).join('\n')
  const changes = [
    [/^( *)server service:(\d+) resolve (.*)$/gm, servers],
    [/^ *resolver .*\n/gm, ''],
    [/\blisten (\d+);/g, (_all, port) => `listen 127.0.0.1:${ports[deployments[port]]};`],
    [/ \/tmp\//g, () => ` ${folder}/`],
    [/ \/dev\/stdout\b/g, () => ` ${join(folder, 'access.log')}`],
  ]
  return changes.reduce((text, [pattern, by]) => replaceEvery(text, pattern, by), readFileSync(deployed, 'utf8'))
}

/** Resolves when the port accepts connections. */
async function waitForPort(port, gone) {
  const deadline = Date.now() + 10_000
  while (!gone() && Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1')
    const accepted = await new Promise((done) => {
      socket.once('connect', () => done(true))
      socket.once('error', () => done(false))
    })
    socket.destroy()
    if (accepted) return
    await new Promise((later) => setTimeout(later, 20))
  }
  throw new Error('it does not listen')
}

/**
 * Starts nginx in front of these replicas, each with the URL of each deployment. Needs `program`.
 * `change` edits the configuration, as an operator would.
 */
export async function startNginx(replicas, change = (text) => text) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-nginx-'))
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const ports = {}
  for (const deployment of Object.values(deployments)) ports[deployment] = await findFreePort()
  const configuration = join(folder, 'nginx.conf')
  copyFileSync(fileURLToPath(new URL('../deploy/replicas.conf', import.meta.url)), join(folder, 'replicas.conf'))
  writeFileSync(configuration, change(renderConfiguration(replicas, ports, folder)))
  const words = ['-p', folder, '-c', configuration, '-e', 'stderr', '-g', `daemon off; pid ${join(folder, 'nginx.pid')};`]
  // A process group of its own: an interrupt from the keyboard reaches only the program that started it, which stops it in order.
  const child = spawn(program, words, { ...unprivileged, cwd: folder, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = `${errors}${text}`.slice(-100_000)
  })
  const ended = new Promise((done) => {
    child.once('error', done)
    child.once('close', done)
  })
  const last = () => {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', last)

  async function stop() {
    process.off('exit', last)
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    await waitForPort(ports.main, () => child.pid === undefined || child.exitCode !== null)
  } catch (error) {
    await stop()
    throw new Error(`nginx did not start (${error.message}): ${errors}`)
  }
  return Object.freeze({
    urls: Object.freeze(Object.fromEntries(Object.entries(ports).map(([deployment, port]) => [deployment, `http://127.0.0.1:${port}`]))),
    /** Of the first process, whose children are the workers. */
    pid: child.pid,
    errors: () => errors,
    log: () =>
      readFileSync(join(folder, 'access.log'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    stop,
  })
}
