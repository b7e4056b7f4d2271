/** A request that no adapter has: for what is asked of a kernel directly. */
import type { HttpRequest } from '../src/http/httpHandler.ts'

/** Header names are in lower case, as kernels ask for them. */
export const incoming = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): HttpRequest => ({
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
  abort: () => {},
  onEnd: () => {},
})
