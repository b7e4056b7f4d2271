/** Every endpoint of the specification. This module needs no server: a browser can import it. */
import {
  bearer,
  content,
  endpoint,
  form,
  healthEndpoints,
  int,
  json,
  list,
  mount,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  text,
} from 'lapidary'
import { colors } from './api/colors.ts'
import { echo } from './api/echo.ts'
import { unavailable } from './api/errors.ts'
import { pages } from './api/pages.ts'
import { persons } from './api/persons.ts'
import { products } from './api/products.ts'
import { ClientInfo, Email, FileContent, HelloMessage, Position, Secret } from './api/schemas.ts'
import { albert, headers, isaac, listAll, stream, user, users } from './api/users.ts'

const position = endpoint('GET /position/:x/:y', {
  summary: 'The position that the path names.',
  params: {
    x: int({ description: 'the horizontal coordinate', examples: [3] }),
    y: int({ description: 'the vertical coordinate', examples: [14] }),
  },
  response: ok(Position),
  examples: { response: { xCoord: 3, yCoord: 14 } },
})

const hello = endpoint('GET /hello', {
  summary: 'A greeting.',
  query: { name: optional(text, { description: 'the name to greet', examples: ['Alp', 'Richard', 'Ann'] }) },
  response: ok(HelloMessage),
  examples: { response: { msg: 'Hello, Alp' } },
})

const marketing = endpoint('POST /marketing', {
  summary: 'The marketing email for one client.',
  body: content(ClientInfo, json, form),
  response: ok(Email),
  examples: {
    body: { clientName: 'Alp', clientEmail: 'alp@foo.com', clientAge: 26, clientInterestedIn: ['haskell', 'mathematics'] },
    response: {
      from: 'great@company.com',
      to: 'alp@foo.com',
      subject: 'Hey Alp, we miss you!',
      body: "Hi Alp,\n\nSince you've recently turned 26, have you checked out our latest haskell, mathematics products? Give us a visit!",
    },
  },
})

const file = endpoint('GET /myfile.txt', {
  summary: 'The text of a file.',
  response: ok(FileContent),
  errors: [reply(404, text, { description: 'There is no such file. The text says what to do about it.' })],
  examples: { response: { content: 'The text of the file.\n' } },
})

/** The secret token in an `Authorization: Bearer` header. */
export const secretBearer = bearer<true>('secret')

const secrets = prefix('/secret', {
  list: endpoint('GET /', { summary: 'The secret data.', auth: secretBearer, response: ok(list(Secret)), errors: [unavailable] }),
  add: endpoint('POST /', { summary: 'Adds secret data.', auth: secretBearer, body: Secret, response: noContent, errors: [unavailable] }),
})

const health = prefix('/health', healthEndpoints())

/** The deployment `main`: every endpoint. */
export const main = {
  position,
  hello,
  marketing,
  users,
  user,
  isaac,
  albert,
  listAll,
  stream,
  products,
  persons,
  file,
  static: mount('/static', {
    description:
      'The files of the folder `static-files`, by any method: whole, in part (`Range`, 206 or 416) or on conditions (`If-None-Match` and its like, 304 or 412). What is not there is 404. Pages load what is served beside them alone (`Content-Security-Policy`).',
  }),
  headers,
  secrets,
  echo,
  colors,
  health,
  openapi: endpoint('GET /openapi.json', { summary: 'Every endpoint, described for machines (OpenAPI 3.1).', response: ok(json) }),
  pages,
  empty: prefix('/empty', {}),
}

/** The deployment `pagination`: the colours. */
export const pagination = { colors, health }

/** The deployment `docs`: three endpoints. Every other request gets their documentation. */
export const docs = { position, hello, marketing }
