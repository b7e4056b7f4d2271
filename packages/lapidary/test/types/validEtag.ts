/** What must compile of entity tags, and what their types then say: read by the compiler alone. */
import { collection, endpoint, type HttpError, noContent, ok, type Precondition, prefix, text, withHeaders } from 'lapidary'
import { client, type DeclaredErrorOf, isDeclaredError, revalidate } from 'lapidary/client'
import { match } from 'lapidary/links'
import { serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Stone = z.object({ name: z.string() })
const api = {
  stones: prefix('/stones', collection(Stone, { etag: 'required' })),
  plain: prefix('/plain', collection(Stone)),
  sign: endpoint('GET /sign', { response: ok(text, { headers: { 'X-Ink': text } }), etag: true }),
  paint: endpoint('PUT /sign', { body: text, response: noContent, etag: 'optional' }),
}

const items = {
  list: () => [],
  create: () => withHeaders(undefined, { Location: '/stones/1' }),
  item: () => ({ name: 'Ruby' }),
}

serve(api, {
  stones: {
    ...items,
    replace: ({ body, headers, precondition }) => {
      yes<Same<typeof precondition, Precondition>>()
      yes<Same<(typeof headers)['If-Match'], string>>()
      precondition(body)
    },
    remove: ({ precondition }) => precondition({ name: 'Ruby' }),
  },
  plain: {
    ...items,
    replace: (input) => yes<Same<keyof typeof input, 'params' | 'body' | 'fail'>>(),
    remove: () => {},
  },
  // A handler answers as it would without the tag.
  sign: () => withHeaders('Open', { 'X-Ink': 'red' }),
  paint: ({ headers, precondition }) => {
    yes<Same<typeof precondition, Precondition | undefined>>()
    yes<Same<(typeof headers)['If-Match'], string | undefined>>()
    precondition?.('Open')
  },
})

const call = client(api, 'http://127.0.0.1')

export async function repainted(): Promise<void> {
  const sign = await call.sign()
  yes<Same<typeof sign.body, string>>()
  yes<Same<typeof sign.headers.ETag, string>>()
  yes<Same<(typeof sign.headers)['X-Ink'], string>>()
  await call.paint({ body: 'Closed', headers: { 'If-Match': sign.headers.ETag } })
  await call.paint({ body: 'Closed', headers: { 'If-None-Match': '*' } })
  await call.paint({ body: 'Closed' })
  const now = await revalidate(sign, (headers) => call.sign({ headers }))
  yes<Same<typeof now, typeof sign>>()

  const { body, headers } = await call.stones.item({ params: { id: 1 } })
  await call.stones.replace({ params: { id: 1 }, body, headers: { 'If-Match': headers.ETag } })
  const { name } = await call.plain.item({ params: { id: 1 } })
  name.at(0)
}

export function getVersion(error: unknown): number {
  if (!isDeclaredError(api.stones.remove, error)) return 0
  yes<Same<typeof error, HttpError<404, undefined> | HttpError<412, undefined> | HttpError<428, undefined>>>()
  return error.status
}

yes<Same<DeclaredErrorOf<NonNullable<(typeof api.sign)['~types']>['errors']>['status'], 304 | 412>>()

// A URL leads to an endpoint whether or not it has conditions.
const found = match(api, '/stones/1', { method: 'PUT' })
if (found?.name === 'stones.replace') yes<Same<typeof found.params, { readonly id: number }>>()
const painted = match(api.paint, '/sign')
if (painted !== undefined) yes<Same<keyof typeof painted.params, never>>()
