/** Examples, without a name and by name. Read by the compiler alone. */
import { created, type Examples, endpoint, int, ok, reply, respond, text, withHeaders } from 'lapidary'
import { z } from 'zod'

const Order = z.object({ item: z.string(), day: z.string().transform((day) => new Date(day)) })
const body = { item: 'ruby', day: '2026-11-22' }
const parts = { body: Order, response: [created(text), reply(202, z.object({ ticket: z.int() }))] } as const

export const api = {
  unnamed: endpoint('POST /unnamed', { ...parts, examples: { body, response: withHeaders('ruby', { Location: '/' }) } }),
  bodyAlone: endpoint('POST /alone', { ...parts, examples: { body } }),
  other: endpoint('POST /other', { ...parts, examples: { response: respond(202, { ticket: 1 }) } }),
  named: endpoint('POST /named', {
    ...parts,
    examples: {
      ruby: { body, response: withHeaders('ruby', { Location: '/' }), summary: 'A ruby.' },
      later: { body, response: respond(202, { ticket: 1 }) },
    },
  }),
  none: endpoint('GET /none/:x', { params: { x: int }, response: ok(text), examples: {} }),
}
export const examples: Examples<string, number> = { first: { body: 'a' }, second: { response: 1 } }
