/** What is sent, sent back. */
import { array, bytes, described, endpoint, flag, form, json, noContent, ok, prefix, text } from 'lapidary'
import { Pairs, QueryEcho } from '../schemas.ts'
import { apology } from './errors.ts'

/** Texts and bytes come back as they went. */
const twice = <Value>(value: Value): { readonly body: Value; readonly response: Value } => ({ body: value, response: value })
const pairs = { name: ['Ann'], tag: ['novel', 'sea'] }

export const echo = prefix('/echo', {
  json: endpoint('POST /json', { summary: 'The same JSON value.', body: json, response: ok(json), examples: twice(['a', 1, null]) }),
  text: endpoint('POST /text', { summary: 'The same text.', body: text, response: ok(text), examples: twice('Hello, text!') }),
  form: endpoint('POST /form', { summary: 'The pairs of the form.', body: form, response: ok(Pairs), examples: twice(pairs) }),
  bytes: endpoint('POST /bytes', {
    summary: 'The same bytes.',
    body: bytes,
    response: ok(bytes),
    examples: twice(Uint8Array.of(0, 127, 128, 255)),
  }),
  query: endpoint('GET /query', {
    summary: 'The parameters.',
    query: { tag: described(array(text), 'any number of texts', ['novel', 'sea']), loud: flag },
    response: ok(QueryEcho),
    examples: { response: { tag: ['novel', 'sea'], loud: false } },
  }),
  unavailable: endpoint('GET /unavailable', { summary: 'Always fails.', response: noContent, errors: [apology] }),
})
