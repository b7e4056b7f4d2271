/** Faults in the decoding of requests: methods, parameters, bodies, credentials. */
import { asked, both, type Faults, having, on, plain, saying, status, valueIn, without } from './change.ts'

export const ofRequests: Faults = {
  methods: [
    { sentence: '405 without Allow', only: ['hello'], change: on(status(405), (answer) => without('Allow', answer)) },
    {
      sentence: 'Allow forgets a method',
      only: ['users.item'],
      change: on(status(405), (answer) => having('Allow', (valueIn(answer, 'Allow') ?? '').replace(/,? ?PUT/, ''), answer)),
    },
    {
      sentence: 'Allow names a method that is not there',
      only: ['hello'],
      change: on(status(405), (answer) => having('Allow', `${valueIn(answer, 'Allow')}, PATCH`, answer)),
    },
    { sentence: 'another method is 404', only: ['hello'], change: on(status(405), (answer) => saying(404, answer)) },
    { sentence: 'another method is served like GET', only: ['hello'], change: on(status(405), (_, __, again) => again({ method: 'GET' })) },
    {
      sentence: 'OPTIONS is not known',
      only: ['hello'],
      change: on(asked('OPTIONS', /./), () => plain(404, '{}', 'application/problem+json')),
    },
    { sentence: 'OPTIONS without Allow', only: ['hello'], change: on(asked('OPTIONS', /./), (answer) => without('Allow', answer)) },
    { sentence: 'HEAD is refused', only: ['hello'], change: on(asked('HEAD', /./), (answer) => saying(405, answer)) },
    { sentence: 'HEAD forgets a header', only: ['users.item'], change: on(asked('HEAD', /./), (answer) => without('ETag', answer)) },
    { sentence: 'an unknown path is an empty 200', only: ['hello'], change: on(status(404), () => plain(200, '{}')) },
    { sentence: 'an unknown path is a 500', only: ['hello'], change: on(status(404), (answer) => saying(500, answer)) },
  ],
  requests: [
    {
      sentence: 'a bad body is a 500',
      only: ['marketing'],
      change: on(both(status(400), asked('POST', /./)), (answer) => saying(500, answer)),
    },
    {
      sentence: 'a bad body is an undeclared 422',
      only: ['marketing'],
      change: on(both(status(400), asked('POST', /./)), (answer) => saying(422, answer)),
    },
    {
      sentence: 'a bad body is accepted',
      only: ['products.create'],
      change: on(both(status(400), asked('POST', /./)), () => ({ status: 201, headers: [['Location', '/products/1']], body: null })),
    },
    {
      sentence: 'a bad query is accepted',
      only: ['users.list'],
      change: on(both(status(400), asked('GET', /sortby/)), (_, __, again) => again({ target: '/users' })),
    },
    {
      sentence: 'a bad query is a 500',
      only: ['users.list'],
      change: on(both(status(400), asked('GET', /sortby/)), (answer) => saying(500, answer)),
    },
    { sentence: 'a bad capture is a 500', only: ['position'], change: on(status(400), (answer) => saying(500, answer)) },
    {
      sentence: 'a bad capture is read as 0',
      only: ['position'],
      change: on(both(status(400), asked('GET', /^\/position/)), () => plain(200, '{"xCoord":0,"yCoord":0}')),
    },
    {
      sentence: 'a query that cannot be decoded is accepted',
      only: ['hello'],
      change: on(both(status(400), asked('GET', /%/)), (_, __, again) => again({ target: '/hello' })),
    },
    {
      sentence: 'Content-Type is ignored',
      only: ['marketing'],
      change: on(status(415), (_, __, again) => again({ headers: { 'content-type': 'application/json', 'content-encoding': undefined } })),
    },
    { sentence: 'a body of another type is a 400', only: ['marketing'], change: on(status(415), (answer) => saying(400, answer)) },
    {
      sentence: 'Accept is ignored',
      only: ['hello'],
      change: on(status(406), (_, __, again) => again({ headers: { accept: undefined } })),
    },
    {
      sentence: 'a required header is not required',
      only: ['headers.both'],
      change: on(both(status(400), asked('GET', /^\/headers/)), (answer) => saying(200, answer)),
    },
  ],
  credentials: [
    {
      sentence: '401 without WWW-Authenticate',
      only: ['listAll'],
      change: on(status(401), (answer) => without('WWW-Authenticate', answer)),
    },
    {
      sentence: '401 with the challenge of another scheme',
      only: ['listAll'],
      change: on(status(401), (answer) => having('WWW-Authenticate', 'Bearer', answer)),
    },
    { sentence: 'no credentials is a 403', only: ['listAll'], change: on(status(401), (answer) => saying(403, answer)) },
    { sentence: 'credentials are not required', only: ['listAll'], change: on(status(401), () => plain(200, '[]')) },
    {
      sentence: 'the query is read before the credentials',
      only: ['listAll'],
      change: on(both(status(401), asked('GET', /%/)), (answer) => saying(400, answer)),
    },
    {
      sentence: 'Accept is read before the credentials',
      only: ['listAll'],
      change: on(
        (answer, seen) => answer.status === 401 && seen.header('accept') !== undefined,
        (answer) => saying(406, answer),
      ),
    },
  ],
}
