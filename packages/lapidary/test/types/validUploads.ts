/** Streams and forms as request bodies: what a handler gets, and what a caller writes. Read by the compiler alone. */
import {
  array,
  byteStream,
  codec,
  endpoint,
  file,
  int,
  multipart,
  multipartStream,
  ndjson,
  noContent,
  ok,
  optional,
  type StreamedFile,
  text,
  type UploadedFile,
} from 'lapidary'
import type { CallInput } from 'lapidary/client'
import type { Handlers } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Order = z.object({ stone: z.string(), day: z.string().transform((day) => new Date(day)) })

const numbers = codec<readonly number[]>({ name: 'numbers', parse: () => [], print: String, schema: {}, example: [] })

const api = {
  film: endpoint('PUT /film', { body: byteStream('video/mp4'), response: noContent }),
  orders: endpoint('POST /orders', { body: ndjson(Order), response: noContent }),
  photo: endpoint('POST /photos', {
    body: multipart({ title: text, count: int, page: optional(int), photo: file(), notes: array(file()), cover: optional(file()) }),
    response: ok(byteStream('image/png')),
  }),
  parts: endpoint('POST /parts', {
    body: multipartStream({
      title: text,
      page: optional(int),
      tags: array(int),
      size: numbers,
      photo: file(),
      notes: array(file()),
      cover: optional(file()),
    }),
    response: noContent,
  }),
}

type Served = Handlers<typeof api>
type Film = Parameters<Served['film']>[0]['body']
type Orders = Parameters<Served['orders']>[0]['body']
type Photo = Parameters<Served['photo']>[0]['body']

yes<Same<Film, AsyncIterable<Uint8Array>>>()
yes<Same<Orders, AsyncIterable<{ stone: string; day: Date }>>>()
yes<Same<Photo['title'], string>>()
yes<Same<Photo['count'], number>>()
yes<Same<Photo['page'], number | undefined>>()
yes<Same<Photo['photo'], UploadedFile>>()
yes<Same<Photo['notes'], readonly UploadedFile[]>>()
yes<Same<Photo['cover'], UploadedFile | undefined>>()

type Part = Parameters<Served['parts']>[0]['body'] extends AsyncIterable<infer One> ? One : never
type PartOf<Name> = Extract<Part, { readonly name: Name }>

yes<Same<Part['name'], 'title' | 'page' | 'tags' | 'size' | 'photo' | 'notes' | 'cover'>>()
yes<Same<PartOf<'title'>['value'], string>>()
yes<Same<PartOf<'page'>['value'], number>>()
yes<Same<PartOf<'tags'>['value'], number>>()
yes<Same<PartOf<'size'>['value'], readonly number[]>>()
yes<Same<PartOf<'photo' | 'notes' | 'cover'>['file'], StreamedFile>>()
// @ts-expect-error a file is no text
export type NoValue = PartOf<'photo'>['value']

export const calls: {
  readonly film: CallInput<(typeof api)['film']>
  readonly orders: CallInput<(typeof api)['orders']>
  readonly photo: CallInput<(typeof api)['photo']>
  readonly parts: CallInput<(typeof api)['parts']>
} = {
  film: { body: new Blob(['a']) },
  orders: { body: [{ stone: 'opal', day: '2024-02-29' }] },
  photo: { body: { title: 'Opal', count: 1, photo: new File(['a'], 'a.png') } },
  parts: { body: { title: 'Opal', size: [1], photo: new Blob(['a']) } },
}

// @ts-expect-error a part is missing
export const incomplete: CallInput<(typeof api)['photo']> = { body: { title: 'Opal', count: 1 } }
// @ts-expect-error a file is no text
export const textual: CallInput<(typeof api)['photo']> = { body: { title: 'Opal', count: 1, photo: 'a' } }
