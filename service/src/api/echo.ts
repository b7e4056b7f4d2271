/** Endpoints that return what they receive. */
import { array, bytes, endpoint, flag, form, json, noContent, ok, prefix, text } from 'lapidary'
import { apology } from './errors.ts'
import { Pairs, QueryEcho } from './schemas.ts'

/** The same value as the example of the body and of the response. */
const sameBody = <Value>(value: Value): { readonly body: Value; readonly response: Value } => ({ body: value, response: value })
const formPairs = { name: ['Ann'], tag: ['novel', 'sea'] }

export const echo = prefix('/echo', {
  json: endpoint('POST /json', { summary: 'The same JSON value.', body: json, response: ok(json), examples: sameBody(['a', 1, null]) }),
  text: endpoint('POST /text', { summary: 'The same text.', body: text, response: ok(text), examples: sameBody('Hello, text!') }),
  form: endpoint('POST /form', { summary: 'The pairs of the form.', body: form, response: ok(Pairs), examples: sameBody(formPairs) }),
  bytes: endpoint('POST /bytes', {
    summary: 'The same bytes.',
    body: bytes,
    response: ok(bytes),
    examples: sameBody(Uint8Array.of(0, 127, 128, 255)),
  }),
  query: endpoint('GET /query', {
    summary: 'The parameters.',
    query: { tag: array(text, { description: 'any number of texts', examples: [['novel', 'sea']] }), loud: flag },
    response: ok(QueryEcho),
    examples: { response: { tag: ['novel', 'sea'], loud: false } },
  }),
  unavailable: endpoint('GET /unavailable', { summary: 'Always fails.', response: noContent, errors: [apology] }),
})
