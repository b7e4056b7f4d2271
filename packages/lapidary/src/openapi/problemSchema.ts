/** The JSON Schema of problem details. */
import type { JsonSchema } from '../json-schema/jsonSchema.ts'

/** RFC 9457, with the members that the toolkit adds. */
export const problemSchema: JsonSchema = Object.freeze({
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The type of the problem; `about:blank`: the status says it.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence about the problem.' },
    errors: {
      type: 'array',
      description: 'The errors of the request, at most 20.',
      items: {
        type: 'object',
        properties: {
          in: { type: 'string', enum: ['path', 'query', 'header', 'cookie', 'body'] },
          name: { type: 'string', description: 'The name of the capture, query parameter, header or cookie.' },
          pointer: { type: 'string', format: 'json-pointer', description: 'The place in the body (RFC 6901).' },
          detail: { type: 'string', description: 'What was expected there.' },
        },
        required: ['in', 'detail'],
      },
    },
    more: { type: 'integer', description: 'The number of errors that `errors` does not list. Validation stops at 1,000 errors.' },
    requestId: { type: 'string', description: 'Identifies the request. Quote it when you report an unexpected error.' },
  },
  required: ['type', 'title', 'status'],
})
