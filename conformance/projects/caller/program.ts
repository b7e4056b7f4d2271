/** Calls every operation of the service, and compares what came with what its document says. */
import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { call, operations } from './operations.js'

/** What of the document is looked at here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly responses: Readonly<Record<string, Answer>> }
}
interface Described {
  readonly requestBody?: { readonly content: object }
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
}
interface Answer {
  readonly content?: object
}

/** It is there to fail, and so it never succeeds. */
const failing = 'GET /echo/unavailable'

const typeOf = (headers: Headers): string => headers.get('content-type')?.replace(/;.*/s, '') ?? 'no body'

/** What was sent and what came, by operation: `application/json`, `200 text/html`. */
const seen = new Map<string, { readonly sent: Set<string>; readonly came: Set<string> }>()
call.use({
  onResponse: ({ schemaPath, request, response }) => {
    const name = `${request.method} ${schemaPath}`
    const { sent, came } = seen.get(name) ?? { sent: new Set(), came: new Set() }
    seen.set(name, { sent: sent.add(typeOf(request.headers)), came: came.add(`${response.status} ${typeOf(response.headers)}`) })
  },
})

const types = (content: object = {}): readonly string[] => {
  const names = Object.keys(content)
  return names.length === 0 ? ['no body'] : names
}

const [place = ''] = process.argv.slice(2)
const document = JSON.parse(readFileSync(place, 'utf8')) as Document
const shared = ({ $ref }: { readonly $ref: string }): Answer => document.components.responses[$ref.replace(/.*\//s, '')] ?? {}

const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)
deepEqual(described.map(([name]) => name).sort(), Object.keys(operations).sort())

for (const [name, operation] of Object.entries(operations)) {
  try {
    await operation()
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

for (const [name, { requestBody, responses }] of described) {
  const { sent, came } = seen.get(name) ?? { sent: new Set(), came: new Set<string>() }
  const answers = Object.entries(responses).flatMap(([status, answer]) => {
    const { content } = '$ref' in answer ? shared(answer) : answer
    return types(content).map((type) => `${status} ${type}`)
  })
  const successes = answers.filter((answer) => answer.startsWith('2') && name !== failing)
  deepEqual(
    [...came].filter((answer) => !answers.includes(answer)),
    [],
    `${name} answers what its document does not say`,
  )
  deepEqual(
    successes.filter((answer) => !came.has(answer)),
    [],
    `${name} never answered this`,
  )
  deepEqual(new Set(types(requestBody?.content)), sent, `${name} was not sent in each of its types`)
  equal(came.size > 0, true, `${name} was not called`)
}
process.stdout.write(`${described.length}\n`)
