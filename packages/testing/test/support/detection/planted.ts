/** Servers with one fault each, as data: what `checkServer` has to find for each word of the contract. */
import type { CheckServerOptions } from '@lapidary/testing'
import type { Api } from 'lapidary'
import type { HttpHandler, HttpRequest, HttpResponse } from 'lapidary/server'
import { z } from 'zod'

/** A server with one fault, the rule that finds it, and a part of what it says. `at` is the endpoint, if it is not that of the others. */
export type Fault = readonly [sentence: string, server: HttpHandler, rule: string, violation: string | RegExp, at?: string]

/** Faults about the same words. */
export interface Planted {
  /** The words of the contract that each of the faults is about. */
  readonly words: readonly string[]
  readonly api: Api
  /** The endpoint that fails. */
  readonly at: string
  /** Servers without a fault. */
  readonly right: readonly HttpHandler[]
  readonly faults: readonly Fault[]
  readonly options?: CheckServerOptions
}

export const Stone = z.object({ name: z.string().min(1).max(40), hardness: z.int().min(1).max(10) })
export type Stone = z.infer<typeof Stone>
export const agate: Stone = { name: 'Agate', hardness: 7 }

/** The response without the lines of a header. */
export const without = (name: string, response: HttpResponse): HttpResponse => ({
  ...response,
  headers: response.headers.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== name),
})

/** The response with one line of a header. */
export const withLine = (name: string, value: string, response: HttpResponse): HttpResponse => ({
  ...response,
  headers: [...without(name.toLowerCase(), response).headers, name, value],
})

/** The same server, with other responses. */
export const changing =
  (server: HttpHandler, change: (response: HttpResponse, request: HttpRequest) => HttpResponse): HttpHandler =>
  async (request) =>
    change(await server(request), request)

/** The same server, with another response in place of those with a status. */
export const replacing = (server: HttpHandler, status: number, change: (response: HttpResponse) => HttpResponse): HttpHandler =>
  changing(server, (response) => (response.status === status ? change(response) : response))

/** A response without a body. */
export const bare = (status: number): HttpResponse => ({ status, headers: [], body: null })

/** Text, as it is sent by default. */
export const plain = (body: string, status = 200): HttpResponse => ({ status, headers: ['Content-Type', 'text/plain;charset=utf-8'], body })

/** Options of `serve` for handlers that fail. */
export const silent = { onError: (): void => {} }
