/** Calls every operation of the service, and compares the responses with its document. */
import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { call, operations } from './operations.js'

/** What of the document is looked at here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly responses: Readonly<Record<string, DocumentedResponse>> }
}
interface DocumentedOperation {
  readonly requestBody?: { readonly content: object }
  readonly responses: Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>
}
interface DocumentedResponse {
  readonly content?: object
}

/** It is there to fail, and so it never succeeds. */
const failingOperation = 'GET /echo/unavailable'

const getType = (headers: Headers): string => headers.get('content-type')?.replace(/;.*/s, '') ?? 'no body'

/** What was sent and what came, by operation: `application/json`, `200 text/html`. */
const calls = new Map<string, { readonly sent: Set<string>; readonly received: Set<string> }>()
call.use({
  onResponse: ({ schemaPath, request, response }) => {
    const name = `${request.method} ${schemaPath}`
    const { sent, received } = calls.get(name) ?? { sent: new Set(), received: new Set() }
    calls.set(name, { sent: sent.add(getType(request.headers)), received: received.add(`${response.status} ${getType(response.headers)}`) })
  },
})

const listTypes = (content: object = {}): readonly string[] => {
  const names = Object.keys(content)
  return names.length === 0 ? ['no body'] : names
}

const [place = ''] = process.argv.slice(2)
const document = JSON.parse(readFileSync(place, 'utf8')) as Document
const resolveResponse = ({ $ref }: { readonly $ref: string }): DocumentedResponse =>
  document.components.responses[$ref.replace(/.*\//s, '')] ?? {}

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
  const { sent, received } = calls.get(name) ?? { sent: new Set(), received: new Set<string>() }
  const documented = Object.entries(responses).flatMap(([status, response]) => {
    const { content } = '$ref' in response ? resolveResponse(response) : response
    return listTypes(content).map((type) => `${status} ${type}`)
  })
  const successes = documented.filter((response) => response.startsWith('2') && name !== failingOperation)
  deepEqual(
    [...received].filter((response) => !documented.includes(response)),
    [],
    `${name} has a response that its document lacks`,
  )
  deepEqual(
    successes.filter((response) => !received.has(response)),
    [],
    `${name} never sent this`,
  )
  deepEqual(new Set(listTypes(requestBody?.content)), sent, `${name} was not sent in each of its types`)
  equal(received.size > 0, true, `${name} was not called`)
}
process.stdout.write(`${described.length}\n`)
