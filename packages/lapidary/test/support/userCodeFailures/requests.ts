/** Failures while a request is read: codecs, credentials, media types and schemas. */
import { authScheme, basic, bearer, content, endpoint, list, mediaType, noContent, ok, text } from 'lapidary'
import {
  authenticate,
  type ErrorListener,
  guard,
  type HttpHandler,
  type IdempotencyOptions,
  memoryIdempotencyStore,
  provide,
  serve,
} from 'lapidary/server'
import { z } from 'zod'
import { type Fail, failingCodec, type Place } from './place.ts'

const schema = (validate: Fail) => ({
  '~standard': {
    ...{ version: 1 as const, vendor: 'failing', validate },
    jsonSchema: { input: () => ({ type: 'object' }) },
  },
})

const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
const people = basic<string>('people')
const robots = bearer<string, 'write'>('robots')
const keyed = { method: 'POST', headers: { 'Idempotency-Key': '"a key"' } }

/** A server of one endpoint with keys. */
const serveKeyed = (idempotency: IdempotencyOptions, report: ErrorListener): HttpHandler =>
  serve(
    { one: endpoint('POST /', { auth: people, response: ok(text), idempotent: 'required' }) },
    { one: () => 'fine' },
    { onError: report, idempotency, auth: [authenticate(people, () => 'Ann')] },
  )
const credentials = { Authorization: `Basic ${btoa('ann:secret')}` }

/** The calls that fail, by their names. */
export const requestPlaces: Readonly<Record<string, Place>> = {
  'the codec of a capture': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /:x', { params: { x: failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    target: '/a',
  },
  'the codec of a capture, for a method that has no endpoint': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /:x', { params: { x: failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    method: 'DELETE',
    target: '/a',
  },
  'the codec of a query parameter': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { query: { x: failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    target: '/?x=1',
  },
  'the codec of a header': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { headers: { 'X-A': failingCodec({ parse: fail }) }, response: noContent }) },
        { one: () => {} },
        { onError: report },
      ),
    headers: { 'X-A': 'a' },
  },
  'the credentials of a scheme': {
    handler: (fail, report) => {
      const own = authScheme<string, string>({ name: 'own', challenge: 'Own', credentials: fail, openapi: {} })
      const api = { one: endpoint('GET /', { auth: own, response: noContent }) }
      return serve(api, { one: () => {} }, { onError: report, auth: [authenticate(own, (name) => name)] })
    },
  },
  'the check of credentials': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { auth: people, response: noContent }) },
        { one: () => {} },
        { onError: report, auth: [authenticate(people, fail)] },
      ),
    headers: credentials,
  },
  'the scopes of a user': {
    handler: (fail, report) =>
      serve(
        { one: endpoint('GET /', { auth: robots.scopes('write'), response: noContent }) },
        { one: () => {} },
        { onError: report, auth: [authenticate(robots, () => 'R2', { scopes: fail })] },
      ),
    headers: { Authorization: 'Bearer token' },
  },
  'a guard': {
    handler: (fail, report) => {
      const api = { one: endpoint('GET /', { response: noContent }) }
      return serve(api, guard(api, fail, { one: () => {} }), { onError: report })
    },
  },
  'a provider': {
    handler: (fail, report) => {
      const api = { one: endpoint('GET /', { response: noContent }) }
      return serve(api, provide(api, fail, { one: () => {} }), { onError: report })
    },
  },
  'the identity of a user': {
    handler: (fail, report) => serveKeyed({ identify: fail }, report),
    ...{ ...keyed, headers: { ...keyed.headers, ...credentials } },
  },
  'a store of keys, before the handler': {
    handler: (fail, report) => serveKeyed({ store: { ...memoryIdempotencyStore(), begin: fail } }, report),
    ...{ ...keyed, headers: { ...keyed.headers, ...credentials } },
  },
  'a store of keys, behind the handler': {
    handler: (fail, report) => serveKeyed({ store: { ...memoryIdempotencyStore(), complete: fail } }, report),
    ...{ ...keyed, headers: { ...keyed.headers, ...credentials } },
    gets: 200,
  },
  'the reader of a medium': {
    handler: (fail, report) => {
      const read = mediaType<unknown>({ types: ['application/json'], reader: () => fail, writer: () => String })
      return serve({ one: endpoint('POST /', { body: read, response: noContent }) }, { one: () => {} }, { onError: report })
    },
    ...post,
  },
  'the reader of a medium, before a schema': {
    handler: (fail, report) => {
      const read = mediaType<unknown>({ types: ['application/json'], reader: () => fail, writer: () => String })
      const body = content(z.object({}), read)
      return serve({ one: endpoint('POST /', { body, response: noContent }) }, { one: () => {} }, { onError: report })
    },
    ...post,
  },
  'a schema': {
    handler: (fail, report) =>
      serve({ one: endpoint('POST /', { body: schema(fail), response: noContent }) }, { one: () => {} }, { onError: report }),
    ...post,
  },
  'the schema of the items of a list': {
    handler: (fail, report) =>
      serve({ one: endpoint('POST /', { body: list(schema(fail)), response: noContent }) }, { one: () => {} }, { onError: report }),
    ...{ ...post, body: '[{}]' },
  },
}
