/** The Dockerfile, compose.yaml and the configuration of nginx agree with the repository, with the service and with each other. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { maxHeaderSize } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { program, renderConfiguration } from '../../scripts/nginx.mjs'
import { type VariableName, variableNames, variables } from '../src/settings.ts'
import { folderOfTest } from './support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const dockerfile = textOf('Dockerfile')
const compose = textOf('compose.yaml')
const conf = textOf('deploy/nginx.conf')
const tls = textOf('deploy/tls.conf')

const preset = (name: VariableName): number => Number(variables[name].preset)
const ports = [preset('PORT'), preset('PAGINATION_PORT'), preset('DOCS_PORT')]

/** What the pattern finds between its parentheses, everywhere. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** A service of compose.yaml, as its indented lines. */
const composed = (name: string): string => compose.match(new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm'))?.[1] ?? ''

/** The names of its environment variables. */
const environment = (name: string): string[] => all(composed(name).match(/^ {4}environment:\n((?: {6}.*\n)+)/m)?.[1] ?? '', /^ {6}(\w+):/gm)

/** A time as nginx and Docker write it, in milliseconds. */
function milliseconds(text: string | undefined): number {
  const [, count, unit] = text?.match(/^(\d+)(ms|s|m)$/) ?? []
  return Number(count) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm']
}
/** A size as nginx and Docker write it, in bytes. */
function bytes(text: string | undefined): number {
  const [, count, unit] = text?.match(/^(\d+)([kmg])$/) ?? []
  return Number(count) * { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[unit as 'k' | 'm' | 'g']
}
const sizeOf = (pattern: string): number => bytes(all(conf, new RegExp(`\\b${pattern} (\\w+);`, 'g'))[0])
const times = (name: string): number[] => all(conf, new RegExp(`\\b${name} (\\w+);`, 'g')).map(milliseconds)

const copied = all(dockerfile, /^COPY (?!--from)(.*) \S+$/gm).flatMap((words) => words.split(' '))
const kept = all(dockerfile, /^COPY --from=(?:build|running) (.*) \S+$/gm).map((path) => path.replace(/^\/app\//, ''))

test('every file that the image is built from exists and is in the build context', () => {
  expect(copied.length).toBeGreaterThan(5)
  for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true])
  expect(all(textOf('.dockerignore'), /^!(.*)$/gm).sort()).toEqual([...copied].sort())
})

test('the image contains the copied and built files', () => {
  expect(kept).toContain('service/dist')
  for (const path of kept) expect([path, copied.includes(path) || /(^|\/)(dist|node_modules)$/.test(path)]).toEqual([path, true])
})

test('the image starts the compiled program, on one version of Node', () => {
  expect(dockerfile).toContain('CMD ["node", "service/dist/main.js"]')
  const versions = all(dockerfile, /^FROM node:(\d+\.\d+\.\d+)-bookworm/gm)
  expect(versions).toHaveLength(2)
  // Nothing is compiled: the slim image has neither a compiler nor Python.
  expect(all(dockerfile, /^FROM (node:\S+)/gm)).toEqual(versions.map((version) => `node:${version}-bookworm-slim`))
  expect(new Set(versions).size).toBe(1)
})

test('every environment variable is a setting of the service, of Node, or of PostgreSQL', () => {
  const known = new Set<string>([...variableNames, 'NODE_ENV', 'NODE_OPTIONS', 'PGPASSWORD'])
  const named = all(dockerfile.match(/^ENV (?:.*\\\n)*.*$/m)?.[0] ?? '', /(\w+)=/g)
  expect(named).toEqual(['NODE_ENV', 'HOST'])
  expect(environment('service')).toContain('DATABASE_URL')
  expect([...named, ...environment('service')].filter((name) => !known.has(name))).toEqual([])
  expect(environment('database').sort()).toEqual(['POSTGRES_DB', 'POSTGRES_PASSWORD', 'POSTGRES_USER'])
  expect(environment('nginx')).toEqual([])
})

test('the database URL is valid for the service', () => {
  const [url = ''] = all(composed('service'), /DATABASE_URL: (\S+)/g)
  expect(variables.DATABASE_URL.read(url)).toBe(url)
})

test('the ports are those of the deployments, and nginx alone publishes them', () => {
  expect(all(dockerfile, /^EXPOSE (.*)$/gm)).toEqual([ports.join(' ')])
  expect(all(conf, /\blisten (\d+);/g).map(Number)).toEqual(ports)
  // Each once as itself and once as its own backup.
  expect(all(conf, /\bserver service:(\d+) resolve/g).map(Number)).toEqual(ports.flatMap((port) => [port, port]))
  expect(all(composed('nginx'), /^ {6}- "(\d+:\d+)"$/gm)).toEqual(ports.map((port) => `${port}:${port}`))
  for (const name of ['database', 'service']) expect(composed(name)).not.toContain('ports:')
})

test('the service trusts nginx only', () => {
  const [address = 'none'] = all(composed('nginx'), /^ {8}ipv4_address: (\S+)$/gm)
  expect(all(composed('service'), /TRUSTED_PROXIES: (.*)$/gm)).toEqual([address])
  const [subnet = ''] = all(compose, /- subnet: (\S+)\.0\/24$/gm)
  expect(address.startsWith(`${subnet}.`)).toBe(true)
  // No other container is given that address.
  expect(all(compose, /ip_range: (\S+)$/gm)).toEqual([`${subnet}.128/25`])
  expect(Number(address.split('.')[3])).toBeLessThan(128)
})

test('no password has a default, and every container has limits', () => {
  const passwords = all(compose, /(?:POSTGRES_PASSWORD|PGPASSWORD): (.*)$/gm)
  expect(passwords).toHaveLength(2)
  for (const password of passwords) expect(password).toMatch(/^\$\{POSTGRES_PASSWORD:\?[^}]+\}$/)
  for (const name of ['database', 'service', 'nginx']) {
    expect([name, all(composed(name), /^ {4}(mem_limit|pids_limit): \d+[mg]?$/gm)]).toEqual([name, ['mem_limit', 'pids_limit']])
  }
  const [heap] = all(composed('service'), /--max-old-space-size=(\d+)/g)
  expect(Number(heap) * 2).toBeLessThanOrEqual(Number(all(composed('service'), /mem_limit: (\d+)m/g)[0]))
})

test('nginx allows everything that the service allows, and closes idle connections first', () => {
  expect(sizeOf('client_max_body_size')).toBeGreaterThan(preset('MAX_BODY_BYTES'))
  expect(sizeOf('large_client_header_buffers \\d+')).toBeGreaterThan(maxHeaderSize)
  const [forClients, ...forReplicas] = times('keepalive_timeout')
  expect(forClients).toBeGreaterThan(preset('KEEP_ALIVE_TIMEOUT_MS'))
  expect(forReplicas).toHaveLength(ports.length)
  // Of the two, the time that a server drains by default when it stops is the shorter.
  for (const time of forReplicas) expect(time).toBeLessThan(Math.min(1_500, preset('KEEP_ALIVE_TIMEOUT_MS')))
})

test('what strangers can fill fits into the container of nginx', () => {
  const bodies = all(conf, /limit_conn bodies (\d+);/g).map(Number)[0] ?? Number.NaN
  const tmpfs = bytes(all(composed('nginx'), /^ {6}- \/tmp:size=(\w+)$/gm)[0])
  expect(bodies * sizeOf('client_max_body_size')).toBeLessThan(tmpfs)
  const [connections = Number.NaN] = ['worker_processes', 'worker_connections']
    .map((name) => Number(all(conf, new RegExp(`\\b${name} (\\d+);`, 'g'))[0]))
    .map((count, _index, [, perProcess = Number.NaN]) => count * perProcess)
  const [buffers] = all(conf, /large_client_header_buffers (\d+)/g).map(Number)
  const head = sizeOf('client_header_buffer_size') + Number(buffers) * sizeOf('large_client_header_buffers \\d+')
  // A request has a second connection, to its replica.
  const request = head + sizeOf('client_body_buffer_size') + sizeOf('proxy_buffer_size')
  const processes = 40 * 1_048_576
  expect(connections * Math.max(head, request / 2) + tmpfs + processes).toBeLessThan(bytes(all(composed('nginx'), /mem_limit: (\w+)/g)[0]))
})

test('HTTPS covers every deployment', () => {
  const deployments = (text: string): string[] => all(text, /set \$deployment (\w+);/g)
  expect(deployments(conf)).toHaveLength(ports.length)
  expect(deployments(tls)).toEqual(deployments(conf))
  expect(all(tls, /listen \d+ (ssl);/g)).toHaveLength(ports.length)
})

test('git ignores the passwords of compose', () => {
  const { status, stdout } = spawnSync('git', ['check-ignore', '.env', '.env.local'], { cwd: root, encoding: 'utf8' })
  // Without git, or outside a repository, the file says it.
  if (status === 0) expect(stdout.split('\n').slice(0, 2)).toEqual(['.env', '.env.local'])
  expect(textOf('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']))
})

test('a stopping replica has the time of its grace', () => {
  const [grace] = all(composed('service'), /stop_grace_period: (\w+)/g)
  expect(milliseconds(grace)).toBeGreaterThan(preset('SHUTDOWN_GRACE_MS') + 1_000)
})

test.skipIf(program === undefined)('nginx accepts its configuration', () => {
  const folder = folderOfTest()
  const urls = { main: 'http://127.0.0.1:28081', pagination: 'http://127.0.0.1:21442', docs: 'http://127.0.0.1:28082' }
  const path = join(folder, 'nginx.conf')
  const text = renderConfiguration(
    [urls, { ...urls, main: 'http://127.0.0.1:38081' }],
    { main: 8081, pagination: 1442, docs: 8082 },
    folder,
  )
  expect(all(text, /^ {4}server (127\.0\.0\.1:\S+ .*);$/gm).filter((line) => line.includes('8081'))).toEqual([
    '127.0.0.1:28081 max_fails=1 fail_timeout=2s',
    '127.0.0.1:38081 max_fails=1 fail_timeout=2s',
    '127.0.0.1:28081 max_fails=0 backup',
    '127.0.0.1:38081 max_fails=0 backup',
  ])
  writeFileSync(path, text)
  writeFileSync(join(folder, 'replicas.conf'), textOf('deploy/replicas.conf'))
  const words = ['-t', '-p', folder, '-c', path, '-e', 'stderr', '-g', `pid ${join(folder, 'nginx.pid')};`]
  const { status, stderr } = spawnSync(program ?? '', words, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
})
