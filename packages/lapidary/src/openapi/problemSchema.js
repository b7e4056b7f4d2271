/** RFC 9457, with the members that the toolkit adds. */
export const problemSchema = Object.freeze({
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'What kind of problem it is; `about:blank`: what its status says.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened, in a sentence.' },
    errors: {
      type: 'array',
      description: 'What exactly is wrong with the request: the first 20 things.',
      items: {
        type: 'object',
        properties: {
          in: { type: 'string', enum: ['path', 'query', 'header', 'body'] },
          name: { type: 'string', description: 'The part of the path, query parameter or header.' },
          pointer: { type: 'string', format: 'json-pointer', description: 'The place in the body (RFC 6901).' },
          detail: { type: 'string', description: 'What was expected there.' },
        },
        required: ['in', 'detail'],
      },
    },
    more: { type: 'integer', description: 'How many more were found, and are not listed in `errors`. Looking ends at 1,000.' },
    requestId: { type: 'string', description: 'To quote when asking about an unexpected failure.' },
  },
  required: ['type', 'title', 'status'],
})
