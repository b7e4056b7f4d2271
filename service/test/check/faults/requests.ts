/** Faults in the decoding of requests: methods, parameters, bodies, credentials. */
import { both, type Faults, having, on, plain, requested, saying, status, valueIn, without } from './change.ts'

export const requestFaults: Faults = {
  methods: [
    { sentence: '405 without Allow', only: ['hello'], change: on(status(405), (response) => without('Allow', response)) },
    {
      sentence: 'Allow forgets a method',
      only: ['users.item'],
      change: on(status(405), (response) => having('Allow', (valueIn(response, 'Allow') ?? '').replace(/,? ?PUT/, ''), response)),
    },
    {
      sentence: 'Allow names a method that is not there',
      only: ['hello'],
      change: on(status(405), (response) => having('Allow', `${valueIn(response, 'Allow')}, PATCH`, response)),
    },
    { sentence: 'another method is 404', only: ['hello'], change: on(status(405), (response) => saying(404, response)) },
    { sentence: 'another method is served like GET', only: ['hello'], change: on(status(405), (_, __, again) => again({ method: 'GET' })) },
    {
      sentence: 'OPTIONS is not known',
      only: ['hello'],
      change: on(requested('OPTIONS', /./), () => plain(404, '{}', 'application/problem+json')),
    },
    { sentence: 'OPTIONS without Allow', only: ['hello'], change: on(requested('OPTIONS', /./), (response) => without('Allow', response)) },
    { sentence: 'HEAD is refused', only: ['hello'], change: on(requested('HEAD', /./), (response) => saying(405, response)) },
    {
      sentence: 'HEAD forgets a header',
      only: ['users.item'],
      change: on(requested('HEAD', /./), (response) => without('ETag', response)),
    },
    { sentence: 'an unknown path is an empty 200', only: ['hello'], change: on(status(404), () => plain(200, '{}')) },
    { sentence: 'an unknown path is a 500', only: ['hello'], change: on(status(404), (response) => saying(500, response)) },
  ],
  requests: [
    {
      sentence: 'a bad body is a 500',
      only: ['marketing'],
      change: on(both(status(400), requested('POST', /./)), (response) => saying(500, response)),
    },
    {
      sentence: 'a bad body is an undeclared 422',
      only: ['marketing'],
      change: on(both(status(400), requested('POST', /./)), (response) => saying(422, response)),
    },
    {
      sentence: 'a bad body is accepted',
      only: ['products.create'],
      change: on(both(status(400), requested('POST', /./)), () => ({ status: 201, headers: [['Location', '/products/1']], body: null })),
    },
    {
      sentence: 'a bad query is accepted',
      only: ['users.list'],
      change: on(both(status(400), requested('GET', /sortby/)), (_, __, again) => again({ target: '/users' })),
    },
    {
      sentence: 'a bad query is a 500',
      only: ['users.list'],
      change: on(both(status(400), requested('GET', /sortby/)), (response) => saying(500, response)),
    },
    { sentence: 'a bad capture is a 500', only: ['position'], change: on(status(400), (response) => saying(500, response)) },
    {
      sentence: 'a bad capture is read as 0',
      only: ['position'],
      change: on(both(status(400), requested('GET', /^\/position/)), () => plain(200, '{"xCoord":0,"yCoord":0}')),
    },
    {
      sentence: 'a query that cannot be decoded is accepted',
      only: ['hello'],
      change: on(both(status(400), requested('GET', /%/)), (_, __, again) => again({ target: '/hello' })),
    },
    {
      sentence: 'Content-Type is ignored',
      only: ['marketing'],
      change: on(status(415), (_, __, again) => again({ headers: { 'content-type': 'application/json', 'content-encoding': undefined } })),
    },
    { sentence: 'a body of another type is a 400', only: ['marketing'], change: on(status(415), (response) => saying(400, response)) },
    {
      sentence: 'Accept is ignored',
      only: ['hello'],
      change: on(status(406), (_, __, again) => again({ headers: { accept: undefined } })),
    },
    {
      sentence: 'a required header is not required',
      only: ['headers.both'],
      change: on(both(status(400), requested('GET', /^\/headers/)), (response) => saying(200, response)),
    },
  ],
  credentials: [
    {
      sentence: '401 without WWW-Authenticate',
      only: ['listAll'],
      change: on(status(401), (response) => without('WWW-Authenticate', response)),
    },
    {
      sentence: '401 with the challenge of another scheme',
      only: ['listAll'],
      change: on(status(401), (response) => having('WWW-Authenticate', 'Bearer', response)),
    },
    { sentence: 'no credentials is a 403', only: ['listAll'], change: on(status(401), (response) => saying(403, response)) },
    { sentence: 'credentials are not required', only: ['listAll'], change: on(status(401), () => plain(200, '[]')) },
    {
      sentence: 'the query is read before the credentials',
      only: ['listAll'],
      change: on(both(status(401), requested('GET', /%/)), (response) => saying(400, response)),
    },
    {
      sentence: 'Accept is read before the credentials',
      only: ['listAll'],
      change: on(
        (response, seen) => response.status === 401 && seen.header('accept') !== undefined,
        (response) => saying(406, response),
      ),
    },
  ],
}
