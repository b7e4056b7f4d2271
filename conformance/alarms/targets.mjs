/** The servers that keep their descriptions: the service on both databases, the examples, and the mocks of their descriptions. */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startPostgres } from '../../scripts/postgres.mjs'
import { startProgram, startServer } from '../../scripts/startServer.mjs'
import { runCommand } from '../command.mjs'
import { root } from '../places.mjs'

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {readonly string[]} description  the words that name the description in the command line
 * @property {(folder: string) => Promise<StartedTarget>} start  with its files in an empty folder
 *
 * @typedef {object} StartedTarget
 * @property {string} url
 * @property {readonly string[]} [options]  further options of `check`
 * @property {() => unknown} stop
 */

const program = join(root, 'packages/cli/bin/lapidary.js')
const user = { name: 'ann', password: 'a stone is a stone' }

/** Sends JSON, and returns the response. @param {string} url @param {string} method @param {unknown} [body] @param {Record<string, string>} [headers] */
async function sendJson(url, method, body, headers = {}) {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return response
}

/** Starts a server, and returns the line that it prints first. */
async function startOwnServer(words, cwd, environment) {
  const { child, url } = await startServer(words, cwd, environment)
  child.stdout.resume()
  return { url, stop: () => child.kill('SIGKILL') }
}

/** The service, with an account. @param {string} folder @param {Record<string, string>} environment */
async function startService(folder, environment) {
  const settings = { HOST: '127.0.0.1', LOG_LEVEL: 'error', SECRET_TOKEN: 'a-token', PAGINATION_PORT: '0', DOCS_PORT: '0', ...environment }
  const words = ['add', user.name]
  const child = startProgram([join(root, 'service/dist/main.js')], folder, settings)
  const urls = {}
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, deployment, url } = JSON.parse(line)
    if (event === 'listening') urls[deployment] = url
    if (Object.keys(urls).length === 3) break
  }
  child.stdout.resume()
  await runCommand(process.execPath, [join(root, 'service/dist/account.js'), ...words], {
    cwd: folder,
    environment: settings,
    input: user.password,
  })
  return { urls, stop: () => child.kill('SIGKILL') }
}

const service = join(root, 'service/src/api.ts')
const credentials = ['--user', `${user.name}:${user.password}`, '--token', 'a-token']

/** @param {string} deployment @param {readonly string[]} options @returns {readonly Target[]} */
const serviceTargets = (deployment, options) => [
  {
    name: `service, ${deployment}, SQLite`,
    description: [service, '--export', deployment],
    start: async (folder) => {
      const { urls, stop } = await startService(folder, { DATABASE_URL: `sqlite:${join(folder, 'service.db')}` })
      return { url: urls[deployment], options, stop }
    },
  },
  {
    name: `service, ${deployment}, PostgreSQL`,
    description: [service, '--export', deployment],
    start: async (folder) => {
      const postgres = await startPostgres()
      const { urls, stop } = await startService(folder, { DATABASE_URL: postgres.url('postgres') })
      return {
        url: urls[deployment],
        options,
        stop: async () => {
          stop()
          await postgres.remove()
        },
      }
    },
  },
]

/** Signs up at an example that has sessions. */
async function signUp(url, path, name = user.name) {
  const response = await sendJson(`${url}${path}`, 'POST', { name, password: user.password })
  const [cookie] = response.headers.getSetCookie()
  return { Cookie: cookie.split(';', 1)[0] }
}

const example = (name) => join(root, 'examples', name)
const describe = (name) => [join(example(name), 'api.ts')]
const runTypeScript = (file) => ['--import', 'tsx', file]

/** @type {readonly Target[]} */
const examples = [
  {
    name: 'books',
    description: describe('books'),
    start: async (folder) => {
      const { url, stop } = await startOwnServer(runTypeScript('main.ts'), example('books'), {
        DATABASE: join(folder, 'books.db'),
        PASSWORD: user.password,
      })
      return { url: new URL(url).origin, options: ['--user', `ann:${user.password}`, '--fallback'], stop }
    },
  },
  {
    name: 'bookmarks',
    description: describe('bookmarks'),
    start: async (folder) => {
      const { url, stop } = await startOwnServer(runTypeScript('server.ts'), example('bookmarks'), {
        DATABASE: join(folder, 'bookmarks.db'),
      })
      const session = await signUp(url, '/accounts')
      const { token } = await (await sendJson(`${url}/tokens`, 'POST', { scopes: ['read', 'write', 'admin'] }, session)).json()
      return { url, options: ['--token', token, '--api-key', `session=${session.Cookie.split('=')[1]}`], stop }
    },
  },
  {
    name: 'helpdesk',
    description: describe('helpdesk'),
    start: async (folder) => {
      const environment = { DATABASE: join(folder, 'helpdesk.db'), FILES: join(folder, 'files'), TICKETS_PER_MINUTE: '1000000' }
      const { url: page, stop } = await startOwnServer(runTypeScript('server.ts'), example('helpdesk'), environment)
      const url = new URL(page).origin
      const session = await signUp(url, '/accounts')
      await signUp(url, '/accounts', 'ben')
      await sendJson(`${url}/orgs`, 'POST', { slug: 'acme', title: 'Quarry' }, session)
      await sendJson(`${url}/orgs/acme/members/ben`, 'PUT', { role: 'agent' }, session)
      const ticket = await (await sendJson(`${url}/orgs/acme/tickets`, 'POST', { title: 'Broken', text: 'It is broken.' }, session)).json()
      const captures = { org: 'acme', ticket: ticket.id, name: 'ben' }
      const options = Object.entries(captures).flatMap(([name, text]) => ['--capture', `${name}=${text}`])
      return { url, options: ['--api-key', `session=${session.Cookie.split('=')[1]}`, '--except', 'accounts.logOut', ...options], stop }
    },
  },
  {
    name: 'completions',
    description: describe('completions'),
    start: async () => {
      const { url, stop } = await startOwnServer(runTypeScript('main.ts'), example('completions'), { DELAY: '1' })
      return { url, options: ['--fallback'], stop }
    },
  },
]

/** The mock of a description, which accepts all credentials. @param {string} name @param {readonly string[]} description @param {readonly string[]} options @returns {Target} */
const mockOf = (name, description, options) => ({
  name: `mock of ${name}`,
  description,
  start: async (folder) => {
    const { url: printed, stop } = await startOwnServer([program, 'mock', ...description, '--port', '0'], folder)
    return { url: /https?:\/\/[\w.:[\]]+/.exec(printed)?.[0], options, stop }
  },
})

/** @type {readonly Target[]} */
const mocks = [
  mockOf('service, main', [service, '--export', 'main'], credentials),
  mockOf('service, pagination', [service, '--export', 'pagination'], []),
  mockOf('books', describe('books'), ['--user', `ann:${user.password}`]),
  mockOf('bookmarks', describe('bookmarks'), ['--token', 'token', '--api-key', 'session=key']),
  mockOf('helpdesk', describe('helpdesk'), ['--api-key', 'session=key']),
  mockOf('completions', describe('completions'), []),
]

/** @type {readonly Target[]} */
export const targets = [
  ...serviceTargets('main', credentials),
  ...serviceTargets('pagination', []),
  serviceTargets('docs', ['--fallback'])[0],
  ...examples,
  ...mocks,
]
