/** Requests that no adapter has created, to call a handler directly. */
import type { HttpRequest } from '../../src/http/httpHandler.ts'

/** @param headers by names in lower case */
export const createRequest = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): HttpRequest => ({
  ...{
    method,
    target,
    remoteAddress: '',
    bodyWait: 0,
    rawHeaders: Object.entries(headers).flat(),
    signal: new AbortController().signal,
    shutdown: new AbortController().signal,
  },
  header: (name) => headers[name],
  body: async () => new Uint8Array(),
  bodyStream: async function* () {},
  abort: () => {},
  onEnd: () => {},
})
