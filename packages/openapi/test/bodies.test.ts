/** Bodies and responses of documents: media types, forms, streams, statuses. */
import { fromOpenApi, type LimitKind } from '@lapidary/openapi'
import { type EndpointManifest, manifest } from '@lapidary/testing'
import { describe, expect, test } from 'vitest'

type Json = Readonly<Record<string, unknown>>

function readOne(operation: Json, rest: Json = {}): { readonly endpoint: EndpointManifest; readonly limits: readonly LimitKind[] } {
  const { api, limits } = fromOpenApi({
    openapi: '3.2.0',
    info: { title: 'Test', version: '1' },
    paths: { '/a': { post: operation } },
    ...rest,
  })
  const [endpoint] = Object.values(manifest(api).endpoints)
  if (endpoint === undefined) throw new Error(`no endpoint; limits: ${JSON.stringify(limits)}`)
  return { endpoint, limits: limits.map(({ kind }) => kind) }
}

const ok = { 204: { description: '' } }
const point = { type: 'object', properties: { x: { type: 'integer' } } }

describe('media types', () => {
  test.each<[type: string, object: Json, expected: Json, limits: readonly LimitKind[]]>([
    ['application/json', { schema: point }, { types: ['application/json;charset=utf-8', 'application/json'], schema: point }, []],
    ['application/json', {}, { types: ['application/json;charset=utf-8', 'application/json'], schema: null }, []],
    ['application/vnd.api+json', { schema: point }, { types: ['application/vnd.api+json'], schema: point }, []],
    ['text/plain', { schema: { type: 'string' } }, { types: ['text/plain;charset=utf-8'], schema: null }, []],
    ['text/csv', {}, { types: ['text/csv;charset=utf-8'], schema: null }, []],
    ['application/xml', { schema: point }, { types: ['application/xml'], schema: null }, ['media-type']],
    ['image/png', { schema: {} }, { types: ['image/png'], schema: null }, []],
    [
      'application/octet-stream',
      { schema: { type: 'string', contentMediaType: 'image/png' } },
      { types: ['application/octet-stream'], schema: null },
      [],
    ],
    ['*/*', { schema: point }, { types: ['application/json;charset=utf-8', 'application/json'], schema: point }, ['media-type']],
    ['image/*', {}, { types: ['application/octet-stream'], schema: null }, ['media-type']],
    ['application/x-www-form-urlencoded', { schema: point }, { types: ['application/x-www-form-urlencoded'], schema: point }, []],
    ['application/x-ndjson', { itemSchema: point }, { types: ['application/x-ndjson', 'application/jsonl'], schema: point }, []],
    ['application/x-ndjson', {}, { types: ['application/x-ndjson', 'application/jsonl'], schema: {} }, ['stream-schema']],
    ['text/event-stream', {}, { types: ['text/event-stream'], schema: null }, ['stream-schema']],
  ])('%s with %j', (type, object, expected, limits) => {
    const { endpoint, limits: found } = readOne({ requestBody: { required: true, content: { [type]: object } }, responses: ok })
    expect([{ types: endpoint.body?.media[0]?.types, schema: endpoint.body?.schema }, found]).toEqual([expected, limits])
  })

  test('media types of one value stand beside each other, and another value is a limit', () => {
    const json = { schema: point }
    const both = readOne({
      requestBody: { content: { 'application/x-www-form-urlencoded': json, 'application/json': json } },
      responses: ok,
    })
    expect(both.endpoint.body?.media.map(({ types }) => types[0])).toEqual([
      'application/x-www-form-urlencoded',
      'application/json;charset=utf-8',
    ])
    expect([both.endpoint.body?.optional, both.limits]).toEqual([true, []])
    const other = readOne({ requestBody: { content: { 'application/xml': {}, 'application/json': json } }, responses: ok })
    expect([other.endpoint.body?.media.length, other.limits]).toEqual([1, ['media-type']])
  })

  test('a form has texts, lists and files', () => {
    const schema = {
      type: 'object',
      required: ['title', 'photo'],
      properties: {
        title: { type: 'string', maxLength: 9 },
        count: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        photo: { type: 'string', format: 'binary' },
        more: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' }, maxItems: 3 },
        meta: { type: 'object', properties: { a: { type: 'string' } } },
      },
    }
    const encoding = { photo: { contentType: 'image/png, image/jpeg' } }
    const { endpoint, limits } = readOne({
      requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } },
      responses: ok,
    })
    expect(limits).toEqual(['form-part'])
    expect(endpoint.body?.schema).toEqual({
      type: 'object',
      required: ['photo', 'title'],
      properties: {
        count: { type: 'integer' },
        meta: { type: 'string' },
        more: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' }, maxItems: 3 },
        photo: { type: 'string', contentMediaType: 'image/png, image/jpeg' },
        tags: { type: 'array', items: { type: 'string' } },
        title: { type: 'string', maxLength: 9 },
      },
    })
  })

  test('bytes of any media type need no type', () => {
    const { endpoint } = readOne({ requestBody: { content: { '*/*': { schema: { contentMediaType: '*/*' } } } }, responses: ok })
    expect(endpoint.body?.media[0]?.types).toEqual(['application/octet-stream'])
  })

  test('a part without a type is a file (OpenAPI 3.1, "Encoding Object")', () => {
    const schema = {
      type: 'object',
      properties: {
        photo: {},
        note: { description: 'Any text.', enum: ['a'] },
        more: { type: 'array', items: { description: 'Any file.' } },
      },
    }
    const encoding = { photo: { contentType: 'image/png' } }
    const { endpoint, limits } = readOne({
      requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } },
      responses: ok,
    })
    expect(limits).toEqual([])
    expect(endpoint.body?.schema).toEqual({
      type: 'object',
      properties: {
        more: { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } },
        note: { enum: ['a'] },
        photo: { type: 'string', contentMediaType: 'image/png' },
      },
    })
  })

  test('it is a file beside a part that refers to a schema of the document', () => {
    const schema = { type: 'object', properties: { photo: {}, note: { $ref: '#/components/schemas/Note' } } }
    const operation = { requestBody: { required: true, content: { 'multipart/form-data': { schema } } }, responses: ok }
    const { api } = fromOpenApi({
      openapi: '3.1.0',
      info: { title: '', version: '1' },
      paths: { '/a': { post: operation } },
      components: { schemas: { Note: { type: 'string', maxLength: 9 } } },
    })
    const { photo } = manifest(api).endpoints['postA']?.body?.schema?.properties ?? {}
    expect(photo).toEqual({ type: 'string', contentMediaType: 'application/octet-stream' })
  })

  test.each(['multipart/form-data', 'application/x-ndjson'])('%s that a request need not have is a limit', (type) => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const { limits } = readOne({ requestBody: { content: { [type]: { schema } } }, responses: ok })
    expect(limits).toContain('optional-form')
  })

  test('a GET has no body', () => {
    const operation = { requestBody: { content: { 'application/json': {} } }, responses: ok }
    const { api, limits } = fromOpenApi({ openapi: '3.1.0', info: { title: '', version: '1' }, paths: { '/a': { get: operation } } })
    expect([manifest(api).endpoints['getA']?.body, limits.map(({ kind }) => kind)]).toEqual([null, ['get-body']])
  })
})

describe('statuses', () => {
  const body = { description: '', content: { 'application/json': { schema: point } } }

  test.each<[responses: Json, statuses: readonly number[], errors: readonly (number | string)[], limits: readonly LimitKind[]]>([
    [{ 200: body, 404: body }, [200], [404], []],
    [{ 200: body, 302: { description: '' } }, [200, 302], [], []],
    [{ 404: body }, [204], [404], ['no-success']],
    [{}, [204], [], ['no-success']],
    [{ default: body }, [200], ['default'], ['default-response']],
    [{ 200: body, 404: body, '4xx': body, default: body }, [200], [404, '4XX', 'default'], []],
    [{ '2XX': body, '5XX': body }, [200, 201, 202, 204], ['5XX'], ['status-range', 'status']],
    [{ 200: body, 100: body, 700: body }, [200], [], ['status', 'status']],
    [{ 204: body }, [204], [], ['status']],
  ])('%j', (responses, statuses, errors, limits) => {
    const { endpoint, limits: found } = readOne({ responses })
    expect([endpoint.responses.map(({ status }) => status), endpoint.errors.map(({ status, range = status }) => range)]).toEqual([
      ...[statuses, errors],
    ])
    expect([...found].sort()).toEqual([...limits].sort())
  })

  test('headers of responses are typed, and links are limits', () => {
    const headers = {
      'X-Count': { required: true, schema: { type: 'integer' } },
      'X-Point': { schema: point },
      'Content-Type': { schema: {} },
    }
    const { endpoint, limits } = readOne({ responses: { 200: { description: '', headers, links: { next: { operationId: 'a' } } } } })
    expect(Object.entries(endpoint.responses[0]?.headers ?? {}).map(([name, { codec, required }]) => [name, codec, required])).toEqual([
      ['X-Count', 'integer', true],
      ['X-Point', 'text', false],
    ])
    expect([...limits].sort()).toEqual(['header', 'link', 'parameter-form'])
  })
})
