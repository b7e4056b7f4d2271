/** The handlers of each deployment. Larger groups have a file in `handlers/`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { link } from 'lapidary/links'
import type { PageOptions } from 'lapidary/pagination'
import { type Authenticator, authenticate, type Handlers, healthHandlers } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import type { Logger } from 'pino'
import { colorRanges } from './api/colors.ts'
import { type docs, type main, pagination, secretBearer } from './api.ts'
import { openapiHandler } from './handlers/openapi.ts'
import { pageHandlers } from './handlers/pages.ts'
import { productHandlers } from './handlers/products.ts'
import { userHandlers } from './handlers/users.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store/store.ts'

/** The policy of HTML among the static files: it loads files of this service, may contain styles, and is framed only here. */
const staticPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"

const fileName = 'myfile.txt'
/** Codes of `readFile` that mean: there is no such file. */
const missingFileCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

/** Returns the text of `myfile.txt`. */
const fileHandler =
  (folder: string): Handlers<typeof main>['file'] =>
  async ({ fail }) => {
    const content = await readFile(join(folder, fileName), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (!missingFileCodes.has(error.code ?? '')) throw error
      return fail(404, { body: `There is no ${fileName} in the service's working directory. Create it there and try again.` })
    })
    return { content }
  }

const echoHandlers: Handlers<typeof main>['echo'] = {
  json: ({ body }) => body,
  text: ({ body }) => body,
  form: ({ body }) => body as Record<string, string[]>,
  bytes: ({ body }) => body,
  query: ({ query }) => ({ tag: [...query.tag], loud: query.loud }),
  unavailable: ({ fail }) =>
    fail(503, {
      reason: 'Service Unavailable',
      body: 'Sorry, this is not available right now. Please try again in a moment.',
      headers: { 'Retry-After': 1 },
    }),
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Checks the secret token in constant time. Without a configured token every request is refused. */
export function authenticateSecret(token: string | undefined): Authenticator {
  const expected = token === undefined ? undefined : sha256(token)
  return authenticate(secretBearer, (given) => (expected !== undefined && timingSafeEqual(expected, sha256(given)) ? true : undefined))
}

/** What the handlers need. */
export interface HandlerContext {
  readonly settings: Settings
  readonly store: Store
  readonly log: Logger
}

/** @throws MissingAssetError */
export function createHandlers({ settings, store, log }: HandlerContext): {
  readonly main: Handlers<typeof main>
  readonly pagination: Handlers<typeof pagination>
  readonly docs: Handlers<typeof docs>
} {
  const pageOptions: PageOptions = {
    maxLimit: settings.maxRangeLimit,
    link: (range) => link(pagination.colors, { query: { range } }),
  }
  const colorHandlers: Handlers<typeof pagination> = {
    colors: (input) => colorRanges.page(input, store.colors, pageOptions),
    health: healthHandlers({
      ready: { database: () => store.ping() },
      onFailure: (err, check) => log.error({ err, check }, 'a health check has failed'),
    }),
  }
  const documentedHandlers: Handlers<typeof docs> = {
    position: ({ params }) => ({ xCoord: params.x, yCoord: params.y }),
    hello: ({ query }) => ({ msg: `Hello, ${query.name ?? 'anonymous coward'}` }),
    marketing: ({ body: { clientName, clientEmail, clientAge, clientInterestedIn } }) => ({
      from: settings.senderAddress,
      to: clientEmail,
      subject: `Hey ${clientName}, we miss you!`,
      body:
        `Hi ${clientName},\n\nSince you've recently turned ${clientAge}, ` +
        `have you checked out our latest ${clientInterestedIn.join(', ')} products? Give us a visit!`,
    }),
  }
  const getDocument = openapiHandler()
  return {
    main: {
      ...documentedHandlers,
      ...colorHandlers,
      ...userHandlers(store),
      products: productHandlers(store),
      persons: () => store.persons.all(),
      file: fileHandler(settings.workingDirectory),
      static: serveStatic(join(settings.workingDirectory, 'static-files'), { headers: { 'Content-Security-Policy': staticPolicy } }),
      secrets: {
        list: () => store.secrets.all(),
        add: ({ body }) => store.secrets.add(body),
      },
      echo: echoHandlers,
      openapi: getDocument,
      pages: pageHandlers(getDocument),
      empty: {},
    },
    pagination: colorHandlers,
    docs: documentedHandlers,
  }
}
