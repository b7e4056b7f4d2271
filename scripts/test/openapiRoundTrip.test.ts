/**
 * The law of `fromOpenApi`: the API of a document that `openapi` has written is the API that it was written of. What a version of OpenAPI
 * cannot say is in `remainder`, each with its reason; everything else in the manifests is equal.
 */
import { fromOpenApi } from '@lapidary/openapi'
import { type ApiManifest, type EndpointManifest, manifest, type ReplyManifest } from '@lapidary/testing'
import { type Api, array, endpoint, list, ok, reply, text, withDelimiter } from 'lapidary'
import { type OpenApiVersion, openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { api as arena } from '../../bench/httparena/api.ts'
import { api as notes } from '../../conformance/projects/notes/api.ts'
import { api as stones } from '../../conformance/projects/readers/api.ts'
import { api as bookmarks } from '../../examples/bookmarks/api.ts'
import { api as books } from '../../examples/books/api.ts'
import { api as completions } from '../../examples/completions/api.ts'
import { api as shelf } from '../../examples/foreign/api.ts'
import { api as helpdesk } from '../../examples/helpdesk/api.ts'
import { api as hosts } from '../../examples/hosts/api.ts'
import { api as react } from '../../examples/react/src/api.ts'
import { createSchemaTranslator } from '../../packages/lapidary/src/openapi/schemaObjects30.ts'
import { api as everything } from '../../packages/lapidary/test/support/everythingApi.ts'
import { fromSchema30 } from '../../packages/openapi/src/schemas30.ts'
import { api as queries } from '../../packages/tanstack-query/test/support/stones.ts'
import { main as service } from '../../service/src/api.ts'

/** What descriptions of other servers say: a slash at the end of a path, lists in one text, and errors of ranges of statuses. */
const foreign = {
  users: {
    list: endpoint('GET /users/', {
      response: ok(list(z.string())),
      query: { tag: withDelimiter(array(text)), size: withDelimiter(z.array(z.int()), '|') },
      errors: [reply('default', z.object({ fault: z.string() }))],
    }),
    get: endpoint('GET /users/:id/', {
      response: ok(text),
      errors: [reply(404, z.object({ missing: z.string() })), reply('4XX'), reply('5XX', text, { description: 'The server is down.' })],
    }),
  },
}

const apis: Readonly<Record<string, Api>> = {
  ...{ everything, service, bookmarks, helpdesk, books, completions, shelf, hosts, react, stones, notes, arena, queries, foreign },
}
const versions: readonly OpenApiVersion[] = ['3.0', '3.1', '3.2']

type Body = NonNullable<EndpointManifest['body']>
type Mutable = Record<string, unknown>

/** What a version of OpenAPI cannot say, and how it is taken out of both manifests. */
interface Remainder {
  readonly what: string
  readonly reason: string
  /** @default all */
  readonly versions?: readonly OpenApiVersion[]
  readonly omit: (manifest: ApiManifest) => unknown
}

/** A manifest with each object changed, the innermost first. */
const changeObjects = (value: unknown, change: (object: Mutable, key: string) => unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => changeObjects(item, change, key))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changeObjects(member, change, name)])), key)
}

const omitMembers = (manifest: ApiManifest, ...names: readonly string[]): unknown =>
  changeObjects(manifest, (object) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))))

const isBody = (object: Mutable): boolean => 'media' in object && 'streams' in object
const getEssence = (type: string): string => type.split(';', 1)[0] ?? type
const hasValue = (essence: string): boolean => /json|x-www-form|multipart|event-stream/.test(essence)

/** A body with the media types that say what its value is. */
function omitOtherMedia(body: Body): unknown {
  const essences = body.media.map(({ types }) => getEssence(types[0] ?? ''))
  const described = essences.filter(hasValue)
  return described.length > 0 ? { ...body, media: described } : { ...body, media: essences, schema: null }
}

const translate = createSchemaTranslator({})
const fromTranslated = (schema: unknown): unknown =>
  changeObjects(schema, (object, key) => (['properties', '$defs', 'patternProperties'].includes(key) ? object : fromSchema30(object)))

const remainder: readonly Remainder[] = [
  {
    what: 'names',
    reason: 'An operation has one operationId: the keys after the first are one word. No mount has a name; its prefix makes one.',
    omit: (all) => ({
      ...all,
      endpoints: Object.fromEntries(
        Object.entries(all.endpoints).map(([name, endpoint]) => [name.replaceAll('.', '').toLowerCase(), endpoint]),
      ),
      mounts: Object.values(all.mounts).sort(),
    }),
  },
  { what: 'codecs', reason: 'A parameter has a schema, and no name of what reads it.', omit: (all) => omitMembers(all, 'codec') },
  { what: 'challenges', reason: 'A security scheme does not say what a 401 asks for.', omit: (all) => omitMembers(all, 'challenge') },
  { what: 'pages', reason: 'Nothing says how a client gets from page to page.', omit: (all) => omitMembers(all, 'pages', 'ranges') },
  {
    what: 'cookies of responses',
    reason: 'Set-Cookie is one text, whose parts have no schemas.',
    omit: (all) =>
      changeObjects(all, (object) => {
        if (!('status' in object && 'headers' in object)) return object
        const { cookies: _, headers, ...reply } = object as unknown as ReplyManifest & Mutable
        return { ...reply, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Set-Cookie')) }
      }),
  },
  {
    what: 'media types',
    reason: 'A page or a table of a value has another schema than its JSON, and no schema says what a text or a picture stands for.',
    omit: (all) => changeObjects(all, (object) => (isBody(object) ? omitOtherMedia(object as unknown as Body) : object)),
  },
  {
    what: 'errors of the toolkit',
    reason: 'Where the toolkit sends a 422 by itself, as for a second request with one key, one that a handler declares looks the same.',
    omit: (all) =>
      changeObjects(all, (object) => {
        if (!(object['idempotent'] || JSON.stringify(object['auth'] ?? null).includes('webhookSignature'))) return object
        return {
          ...object,
          errors: (object['errors'] as readonly ReplyManifest[]).filter(({ status, body }) => status !== 422 || body !== null),
        }
      }),
  },
  {
    what: 'schemas',
    reason: 'A schema of 3.0 has fewer keywords than JSON Schema: it is the nearest one that allows as much.',
    versions: ['3.0'],
    omit: (all) => changeObjects(all, (object, key) => (key === 'schema' ? fromTranslated(translate(object)) : object)),
  },
  {
    what: 'events',
    reason: 'A schema of 3.0 does not say what the JSON in a text is, and so not what the data of an event is.',
    versions: ['3.0'],
    omit: (all) =>
      changeObjects(all, (object) => {
        const isStream = isBody(object) && JSON.stringify(object['media']).includes('text/event-stream')
        return isStream ? { media: ['text/event-stream'] } : object
      }),
  },
  {
    what: 'scopes',
    reason: 'Only the schemes oauth2 and openIdConnect have scopes in 3.0.',
    versions: ['3.0'],
    omit: (all) =>
      changeObjects(all, (object) => ((object['kind'] as Mutable | undefined)?.['type'] === 'http' ? { ...object, scopes: [] } : object)),
  },
]

/** A manifest without what a version cannot say. */
const omitRemainder = (all: ApiManifest, version: OpenApiVersion, without?: Remainder): unknown =>
  remainder
    .filter((one) => one !== without && (one.versions ?? versions).includes(version))
    .reduce<unknown>((rest, { omit }) => omit(rest as ApiManifest), all)

const rows = versions.flatMap((version) => Object.keys(apis).map((name) => [version, name] as const))

type Pair = readonly [before: ApiManifest, after: ApiManifest]
const pairs = new Map<string, Pair>()

/** The manifests of an API, and of the API of its document. */
async function roundTrip(version: OpenApiVersion, name: string): Promise<Pair> {
  const key = `${version} ${name}`
  const api = apis[name] ?? {}
  const pair = pairs.get(key) ?? [
    manifest(api),
    manifest(fromOpenApi(await openapi(api, { title: name, version: '1', openapi: version })).api),
  ]
  pairs.set(key, pair)
  return pair
}

test.each(rows)('OpenAPI %s: %s comes back', async (version, name) => {
  const [before, after] = await roundTrip(version, name)
  expect(omitRemainder(after, version)).toEqual(omitRemainder(before, version))
})

test('a document of the toolkit is read without limits, but for the tables and pages beside its JSON', async () => {
  const { limits } = fromOpenApi(await openapi(everything, { title: 'Everything', version: '1' }))
  expect(limits.map(({ pointer }) => pointer)).toEqual([
    '/paths/~1visitors/get/responses/200/content/text~1html',
    '/paths/~1visitors/get/responses/200/content/text~1csv',
  ])
})

test.each(remainder)('$what: $reason', async (one) => {
  const differences: string[] = []
  for (const version of one.versions ?? versions)
    for (const name of Object.keys(apis)) {
      const [before, after] = (await roundTrip(version, name)).map((all) => JSON.stringify(omitRemainder(all, version, one)))
      if (before !== after) differences.push(name)
    }
  // A rule that no API needs is none.
  expect(differences).not.toEqual([])
})
