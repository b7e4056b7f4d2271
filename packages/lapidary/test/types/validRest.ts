/** The rest of a path: a text in the handler and in the call, or the value of its codec. Read by the compiler alone. */
import { endpoint, int, ok, prefix, text } from 'lapidary'
import { client } from 'lapidary/client'
import { link, match } from 'lapidary/links'
import { serve } from 'lapidary/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const api = prefix('/v1', {
  file: endpoint('GET /files/*path', { response: ok(text) }),
  version: endpoint('GET /:repository/files/*path', { params: { path: int }, response: ok(text) }),
  all: endpoint('GET /*all', { response: ok(text) }),
})

export const server = serve(api, {
  file: ({ params }) => {
    yes<Same<typeof params, { readonly path: string }>>()
    return params.path
  },
  version: ({ params }) => {
    yes<Same<typeof params, { readonly repository: string; readonly path: number }>>()
    return params.repository
  },
  all: ({ params }) => params.all,
})

const call = client(api, 'http://127.0.0.1:8081')
export const bodies = [
  await call.file({ params: { path: 'a/b' } }),
  await call.version({ params: { repository: 'a', path: 7 } }),
  link(api.file, { params: { path: 'a/b' } }),
  match(api.file, '/v1/files/a/b')?.params.path.split('/'),
]
