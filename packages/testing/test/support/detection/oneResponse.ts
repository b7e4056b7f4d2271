/** APIs of one endpoint that differ by their response. */
import { type AnyEndpoint, type Api, endpoint, type ok } from 'lapidary'
import { type HttpHandler, serve } from 'lapidary/server'
import { silent } from './planted.ts'

/** An API of one endpoint. */
export type OneApi = Api & { readonly it: AnyEndpoint }
/** Describes an endpoint by its response. */
export const returning = (response: unknown, further: object = {}): OneApi => ({
  it: endpoint('GET /it', { response: response as ReturnType<typeof ok>, ...further }) as AnyEndpoint,
})
/** Serves it. */
export const serving = (api: Api, it: (input: never) => unknown): HttpHandler => serve(api, { it } as never, silent)
