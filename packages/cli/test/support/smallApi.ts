/** A small API for the command line: it loads no schema library, whose start would take longer than most of these tests do. */
import {
  apiKey,
  array,
  authScheme,
  basic,
  bearer,
  both,
  content,
  endpoint,
  flag,
  form,
  int,
  json,
  mount,
  ok,
  oneOf,
  optional,
  type Schema,
  text,
} from 'lapidary'
import { type ApiServer, authenticate, type Handlers, serve } from 'lapidary/server'

const Order: Schema<object> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value: value as object }),
    jsonSchema: { input: () => ({ type: 'object', properties: { item: { type: 'string' } } }) },
  },
}

const members = basic<{ readonly name: string }>('members')
const partners = bearer<{ readonly id: number }>('partners')
const machines = authScheme<{ readonly machine: string }, string>({
  name: 'machines',
  challenge: 'Lathe',
  credentials: (header) => header('x-lathe'),
  headers: (lathe) => ({ 'X-Lathe': lathe }),
  example: 'one',
  openapi: { type: 'apiKey', in: 'header', name: 'X-Lathe' },
})

const gate = apiKey<string>({ in: 'cookie', name: 'gate' })
const pass = apiKey<string>({ in: 'query', name: 'pass' })

export const api = {
  search: endpoint('GET /search', {
    summary: 'Finds words.',
    description: 'All of them.',
    query: { word: text, limit: optional(int), sort: optional(oneOf('age', 'name')), loud: flag, tag: array(text) },
    headers: { 'X-Depth': optional(int) },
    response: ok(json),
  }),
  order: endpoint('POST /orders', { body: content(Order, json, form), response: ok(json) }),
  stream: endpoint('GET /stream', { response: ok(text) }),
  account: endpoint('GET /account', { auth: members, response: ok(text) }),
  partner: endpoint('GET /partner', { auth: partners, response: ok(text) }),
  machine: endpoint('GET /machine', { auth: machines, response: ok(text) }),
  gate: endpoint('GET /gate', { auth: both(gate, pass), response: ok(text) }),
  files: mount('/files', { description: 'Whatever stands there.' }),
  /** Names that are no flags as they stand, or stand for several things. */
  odd: endpoint('GET /odd/:base/:userId', {
    query: {
      base: optional(text),
      help: optional(text),
      'no-cache': flag,
      userID: optional(int),
      'filter[name]': optional(text),
      x1: optional(int),
      x_1: optional(int),
      $: optional(text),
      '--': optional(text),
      Größe: array(text),
    },
    headers: { 'X-1': optional(int), 'X-Real-IP': optional(text) },
    response: ok(json),
  }),
}

const handlers: Handlers<typeof api> = {
  search: ({ query }) => query,
  order: ({ body }) => body,
  stream: () => 'nothing',
  account: ({ user }) => user.name,
  partner: ({ user }) => `${user.id}`,
  machine: ({ user }) => user.machine,
  gate: ({ user }) => user.join(),
  files: () => ({ status: 404, headers: [], body: null }),
  odd: ({ query }) => query,
}

const isKey = (text: string): boolean => /lathe|one/.test(text)

/** The API, served. */
export const small = (): ApiServer =>
  serve(api, handlers, {
    auth: [
      authenticate(members, ({ username, password }) => (password === `${username}'s word` ? { name: username } : undefined)),
      authenticate(partners, (token) => (token === 'seventy-seven' ? { id: 77 } : undefined)),
      authenticate(machines, (machine) => (isKey(machine) ? { machine } : undefined)),
      authenticate(gate, (key) => (isKey(key) ? key : undefined)),
      authenticate(pass, (key) => (isKey(key) ? key : undefined)),
    ],
  })
