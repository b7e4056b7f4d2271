/** The contract: what a client may ask, and what the server answers. */
import { created, endpoint, events, int, ndjson, noContent, ok, optional, prefix, reply, text } from 'lapidary'
import { z } from 'zod'

const Prompt = z.object({ prompt: z.string().min(1).max(4_000), maxTokens: z.int().min(1).max(1_000).default(200) })
export type Prompt = z.infer<typeof Prompt>

const Token = z.object({ text: z.string() })
/** The last event of a completion. A model that fails in the middle is an event as well: the status, 200, is sent already. */
const End = z.object({ state: z.enum(['done', 'failed', 'cancelled']), tokens: z.int(), detail: z.string().optional() })
export type End = z.infer<typeof End>
const Completion = z.object({ id: z.string(), state: z.enum(['running', 'done', 'failed', 'cancelled']), text: z.string() })
export type Completion = z.infer<typeof Completion>

const params = { id: text }
const errors = [reply(404)]

export const api = {
  completions: prefix('/completions', {
    start: endpoint('POST /', { summary: 'Starts the model. Its tokens are events.', body: Prompt, response: created(Completion) }),
    one: endpoint('GET /:id', { summary: 'What there is so far.', params, response: ok(Completion), errors }),
    events: endpoint('GET /:id/events', {
      summary: 'The tokens, from the first one or from the one after `Last-Event-ID`. 204: there are no more.',
      params,
      headers: { 'Last-Event-ID': optional(int) },
      response: [ok(events({ token: Token, end: End })), noContent],
      errors,
    }),
    cancel: endpoint('POST /:id/cancel', { summary: 'Stops the model.', params, response: noContent, errors }),
    lines: endpoint('POST /lines', {
      summary: 'The tokens as lines of JSON, in one response. The model stops when the client goes away.',
      body: Prompt,
      response: ok(ndjson(z.union([Token, End]))),
    }),
  }),
}
