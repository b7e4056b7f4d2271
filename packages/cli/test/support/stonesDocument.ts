/** An OpenAPI document, for the command line: with a server below a path, a response for any other status, and a link. */

const stone = {
  type: 'object',
  required: ['name', 'hardness'],
  properties: { name: { type: 'string', minLength: 1 }, hardness: { type: 'integer', minimum: 1, maximum: 10 } },
}
const json = (schema: object): object => ({ 'application/json': { schema } })
const sort = { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name', 'hardness'] } }

export const stonesDocument = {
  openapi: '3.1.0',
  info: { title: 'Stones', version: '1.2.0' },
  servers: [{ url: 'https://stones.example/api/v1' }],
  paths: {
    '/stones': {
      get: {
        operationId: 'listStones',
        parameters: [sort],
        responses: { 200: { description: 'All.', content: json({ type: 'array', items: stone }) } },
      },
      post: {
        operationId: 'addStone',
        requestBody: { required: true, content: json(stone) },
        responses: { 201: { description: 'It is added.' } },
      },
    },
    '/stones/{id}': {
      get: {
        operationId: 'getStone',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: { description: 'One.', content: json(stone), links: { all: { operationId: 'listStones' } } },
          default: { description: 'An error.' },
        },
      },
    },
  },
}

/** The same, without one value of a parameter. */
export const nextStonesDocument: object = JSON.parse(
  JSON.stringify(stonesDocument).replace('"enum":["name","hardness"]', '"enum":["name"]'),
)
