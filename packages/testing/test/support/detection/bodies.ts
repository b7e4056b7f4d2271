/** Faults of requests with bodies. */
import { mock } from '@lapidary/testing'
import {
  type AnyEndpoint,
  type Api,
  array,
  type Body,
  byteStream,
  bytes,
  content,
  endpoint,
  file,
  form,
  json,
  mediaType,
  mergePatch,
  multipart,
  multipartStream,
  ndjson,
  noContent,
  ok,
  optional,
  schemaCodec,
  text,
} from 'lapidary'
import { type HttpHandler, serve } from 'lapidary/server'
import { z } from 'zod'
import { bare, changing, type Planted, replacing, Stone, silent, withLine, without } from './planted.ts'

type OneApi = Api & { readonly put: AnyEndpoint }
const taking = (body: unknown, further: object = {}): OneApi => ({
  put: endpoint('PUT /put', { body: body as Body<unknown, unknown>, response: noContent, ...further }) as AnyEndpoint,
})
/** Reads streams to their end, and drops the files of a form. */
const serving = (api: OneApi, put: (input: { readonly body: unknown }) => unknown = () => {}): HttpHandler =>
  serve(
    api,
    {
      put: async (input: { readonly body: unknown }) => {
        const { body } = input
        if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
          for await (const _ of body as AsyncIterable<unknown>);
        return put(input)
      },
    } as never,
    silent,
  )
/** Leaves streams alone. */
const serveUnread = (api: OneApi): HttpHandler => serve(api, { put: () => {} } as never, silent)
const fails = (): never => {
  throw new Error('planted')
}

const optionalBody: Planted = {
  words: ['optional body'],
  api: taking(optional(Stone)),
  at: 'put',
  right: [serving(taking(optional(Stone)))],
  faults: [
    ['a body that is required', serving(taking(content(Stone, json))), 'status', 'got 415'],
    [
      'a failure without a body',
      serving(taking(optional(Stone)), ({ body }) => (body === undefined ? fails() : undefined)),
      'no-server-error',
      'got 500',
    ],
    [
      'a body that is accepted without a type',
      replacing(serving(taking(optional(Stone))), 415, () => bare(204)),
      'content-type',
      'got 204',
    ],
    ['a body that nothing validates', serving(taking(optional(json))), 'request-body', 'expected 400, got 204'],
  ],
}

const instant = z.codec(z.iso.datetime(), z.date(), { decode: (written) => new Date(written), encode: (date) => date.toISOString() })
const Cut = schemaCodec(z.object({ at: instant }))
const cutting = (body: Body<unknown, unknown>, response: Body<unknown, unknown>): OneApi => ({
  put: endpoint('PUT /put', { body, query: { since: schemaCodec(instant.optional()) }, response: ok(response) }) as AnyEndpoint,
})
const echo = ({ body }: { readonly body: unknown }): unknown => body
const schemaCodecs: Planted = {
  words: ['schemaCodec'],
  api: cutting(Cut, Cut),
  at: 'put',
  right: [serving(cutting(Cut, Cut), echo)],
  faults: [
    [
      'a date that is sent as a number',
      serving(cutting(Cut, z.object({ at: z.number() })), ({ body }) => ({ at: Number((body as { readonly at: Date }).at) })),
      'body',
      'expected a date and time',
    ],
    [
      'a date that is sent without its time',
      serving(cutting(Cut, z.object({ at: z.string() })), ({ body }) => ({
        at: (body as { readonly at: Date }).at.toISOString().slice(0, 10),
      })),
      'body',
      'expected a date and time',
    ],
    [
      'a text that is no date is taken',
      serving(cutting(z.object({ at: z.string() }), Cut), () => ({ at: new Date(0) })),
      'request-body',
      'the body has a fault at',
    ],
    [
      'a date that the query cannot have',
      serving(
        { put: endpoint('PUT /put', { body: Cut, query: { since: z.string().optional() }, response: ok(Cut) }) as AnyEndpoint },
        echo,
      ),
      'query',
      'expected 400, got 200',
    ],
  ],
}

const limit = { maxBodySize: '1 kB' }
const limitOfBody: Planted = {
  words: ['maxBodySize'],
  api: taking(Stone, limit),
  at: 'put',
  right: [serving(taking(Stone, limit))],
  faults: [
    ['no limit', serving(taking(Stone)), 'body-size', 'the body has 1001 bytes: expected 413, got 400'],
    ['a larger limit', serving(taking(Stone, { maxBodySize: 1_001 })), 'body-size', 'the body has 1001 bytes: expected 413, got 400'],
    [
      'another status',
      replacing(serving(taking(Stone, limit)), 413, (response) => ({ ...response, status: 422 })),
      'body-size',
      'the body has 1001 bytes: expected 413, got 422',
    ],
    ['a smaller limit', serving(taking(Stone, { maxBodySize: 30 })), 'status', 'got 413'],
  ],
}

const photo = file({ maxSize: 1_000, types: ['image/*'] })
const notes = (maxItems: number): OneApi => taking(multipart({ notes: array(file(), { maxItems }) }))
const lists: Planted = {
  words: ['array', 'file'],
  api: notes(2),
  at: 'put',
  right: [serving(notes(2)), mock(notes(2))],
  faults: [
    ['a file more than the list may have', serving(notes(3)), 'form', '"notes" has 3 files: expected 400, got 204'],
    ['fewer files than the list may have', serving(notes(1)), 'status', 'got 400'],
    ['a file in place of a list', serving(taking(multipart({ notes: optional(file()) }))), 'status', 'got 400'],
  ],
}
const form1 = taking(multipart({ title: text, photo }))
const forms: Planted = {
  words: ['multipart', 'file'],
  api: form1,
  at: 'put',
  right: [serving(form1)],
  faults: [
    [
      'a part that need not be there',
      serving(taking(multipart({ title: optional(text), photo }))),
      'form',
      'there is no part "title": expected 400, got 204',
    ],
    [
      'a file that need not be there',
      serving(taking(multipart({ title: text, photo: optional(photo) }))),
      'form',
      'there is no part "photo": expected 400, got 204',
    ],
    [
      'several files',
      serving(taking(multipart({ title: text, photo: array(photo, { minItems: 1, maxItems: 2 }) }))),
      'form',
      '"photo" has 2 files',
    ],
    [
      'files of any size',
      serving(taking(multipart({ title: text, photo: file({ types: ['image/*'] }) }))),
      'form',
      '"photo" has 1001 bytes: expected 413, got 204',
    ],
    [
      'files of any type',
      serving(taking(multipart({ title: text, photo: file({ maxSize: 1_000 }) }))),
      'form',
      '"photo" is of type application/x-no-such-type: expected 415, got 204',
    ],
    [
      'files of no type that is declared',
      serving(taking(multipart({ title: text, photo: file({ types: ['text/plain'] }) }))),
      'status',
      'got 415',
    ],
  ],
}

const parts = taking(multipartStream({ title: text, photo }))
const streamedForms: Planted = {
  words: ['multipartStream'],
  api: parts,
  at: 'put',
  right: [serving(parts), serving(form1), mock(parts)],
  faults: [
    ['parts that nobody reads', serveUnread(parts), 'form', 'there is no part "title": expected 400, got 204'],
    [
      'parts that are read up to the first one',
      serve(
        parts,
        {
          put: async ({ body }: { readonly body: AsyncIterable<unknown> }) => {
            for await (const _ of body) return
          },
        } as never,
        silent,
      ),
      'form',
      'there is no part "title": expected 400, got 204',
    ],
    [
      'files of any type',
      serving(taking(multipartStream({ title: text, photo: file({ maxSize: 1_000 }) }))),
      'form',
      '"photo" is of type application/x-no-such-type: expected 415, got 204',
    ],
    [
      'a failure in the loop that is a failure of the server',
      serve(
        parts,
        {
          put: async ({ body }: { readonly body: AsyncIterable<unknown> }) => {
            try {
              for await (const _ of body);
            } catch {
              fails()
            }
          },
        } as never,
        silent,
      ),
      'no-server-error',
      /: expected .*, got 500/,
    ],
    [
      'a part that need not be there',
      serving(taking(multipartStream({ title: optional(text), photo }))),
      'form',
      'there is no part "title": expected 400, got 204',
    ],
  ],
}

/** The faults of every body: its type, its size, and that it is taken. */
function mediaFaults(words: readonly string[], body: unknown, others: Planted['faults'] = []): Planted {
  const api = taking(body, limit)
  const server = serving(api)
  return {
    words,
    api,
    at: 'put',
    right: [server],
    options: { requests: 200 },
    faults: [
      [
        'any type is taken',
        replacing(server, 415, () => bare(204)),
        'content-type',
        'Content-Type is application/x-no-such-type: expected 415, got 204',
      ],
      [
        'another type is taken in its place',
        serving(taking(mediaType({ types: ['application/x-other'], writer: () => String, reader: () => () => 'other' }))),
        'status',
        'got 415',
      ],
      ['the size of the body is not limited', serving(taking(body)), 'body-size', 'the body has 1001 bytes: expected 413'],
      ['every body is too much', serving(api, fails), 'no-server-error', 'got 500'],
      ...others,
    ],
  }
}

const reversed = mediaType<string>({
  types: ['text/x-reversed'],
  writer: () => (value) => [...value].reverse().join(''),
  reader: () => (bytesOfBody) => [...new TextDecoder().decode(bytesOfBody)].reverse().join(''),
})

const patching = (body: unknown): OneApi => ({
  put: endpoint('PATCH /put', { body: body as Body<unknown, unknown>, response: noContent }) as AnyEndpoint,
})
const patchJson = mediaType<never>({ ...json, types: ['application/merge-patch+json'] } as never)
const patch = patching(mergePatch(Stone))
const patches: Planted = {
  words: ['mergePatch'],
  api: patch,
  at: 'put',
  right: [serving(patch)],
  options: { requests: 300 },
  faults: [
    ['plain JSON is taken in its place', serving(patching(Stone)), 'status', 'got 415'],
    ['every member is needed', serving(patching(content(Stone, patchJson as never))), 'status', 'got 400'],
    ['nothing validates the patch', serving(patching(patchJson)), 'request-body', 'expected 400, got 204'],
    [
      'OPTIONS without Accept-Patch',
      changing(serving(patch), (response) => without('accept-patch', response)),
      'accept-patch',
      'expected Accept-Patch to name application/merge-patch+json, got none',
    ],
    [
      'OPTIONS with another Accept-Patch',
      changing(serving(patch), (response, { method }) =>
        method === 'OPTIONS' ? withLine('Accept-Patch', 'application/json', response) : response,
      ),
      'accept-patch',
      'expected Accept-Patch to name application/merge-patch+json, got application/json',
    ],
  ],
}

const examples = {
  small: { body: { name: 'Small', hardness: 1 } },
  hard: { summary: 'As hard as it gets.', body: { name: 'Hard', hardness: 10 } },
}
const shown = taking(Stone, { examples })
const refusing = (name: string, fault: () => unknown): HttpHandler =>
  serving(shown, ({ body }) => ((body as Stone).name === name ? fault() : undefined))
const namedExamples: Planted = {
  words: ['examples'],
  api: shown,
  at: 'put',
  right: [serving(shown)],
  faults: [
    ['the first one fails', refusing('Small', fails), 'no-server-error', 'got 500'],
    ['another one fails', refusing('Hard', fails), 'no-server-error', 'got 500'],
    [
      'one is refused',
      replacing(refusing('Hard', fails), 500, () => ({ ...bare(422) })),
      'status',
      'expected one of the declared statuses (204), got 422',
    ],
  ],
}

export const bodies: readonly Planted[] = [
  optionalBody,
  limitOfBody,
  forms,
  lists,
  streamedForms,
  mediaFaults(['json', 'body'], Stone, [
    ['nothing validates the body', serving(taking(json, limit)), 'request-body', 'expected 400, got 204'],
    ['a member need not be there', serving(taking(Stone.partial(), limit)), 'request-body', 'the body has a fault at'],
  ]),
  mediaFaults(['text'], text),
  mediaFaults(['bytes'], bytes),
  mediaFaults(['byteStream'], byteStream('image/png')),
  mediaFaults(['form'], form),
  mediaFaults(['ndjson'], ndjson(Stone), [
    ['a line that nothing validates', serving(taking(ndjson(z.unknown()), limit)), 'request-body', 'the body has a fault at'],
    ['lines that nobody reads', serveUnread(taking(ndjson(Stone), limit)), 'request-body', 'the body is not JSON: expected 400, got 204'],
  ]),
  mediaFaults(['mediaType'], reversed),
  {
    words: ['content'],
    api: taking(content(Stone, json, form)),
    at: 'put',
    right: [serving(taking(content(Stone, json, form)))],
    faults: [
      ['the second type is not taken', serving(taking(content(Stone, json))), 'status', 'got 415'],
      ['the first type is not taken', serving(taking(content(Stone, form))), 'status', 'got 415'],
      ['a third type is taken', replacing(serving(taking(content(Stone, json, form))), 415, () => bare(204)), 'content-type', 'got 204'],
    ],
  },
  patches,
  namedExamples,
  schemaCodecs,
]
