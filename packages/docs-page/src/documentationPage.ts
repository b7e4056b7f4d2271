/** `documentationPage(api, { title })`: the documentation of an API, for people as a page, for programs as Markdown and OpenAPI. */
import { type Api, type Content, endpoint, html, json, mediaType, mount, type NamedOperation, ok, text, withHeaders } from 'lapidary'
import type { OutlineOptions } from 'lapidary/docs'
import { ChangedRequest, checkFunctions, checkOptions, createNegotiator, describeKind } from 'lapidary/internal'
import type { OpenApiDocument, OpenApiOptions, OpenApiVersion } from 'lapidary/openapi'
import { type HttpHandler, type HttpRequest, serve } from 'lapidary/server'
import { createAssetServer } from './assetServer.ts'
import { formatPolicy, isOrigin } from './contentSecurityPolicy.ts'
import { type OAuth2Client, renderPage, renderRedirectPage } from './pageHtml.ts'
import { selectOperations } from './selectOperations.ts'

/** Options of `documentationPage`. */
export interface DocumentationPageOptions
  extends Pick<OpenApiOptions<OpenApiVersion>, 'description' | 'servers' | 'schemas' | 'tags'>,
    Pick<OutlineOptions, 'introductions'> {
  /** The title of the page, of the Markdown and of the OpenAPI document. */
  readonly title: string
  /** The version of the API. @default none is shown */
  readonly version?: string
  /**
   * The OpenAPI document to show, or a function that makes it, for a document that has more than `openapi` makes. The function is called once.
   *
   * @default `openapi(api, options)`, in version 3.2
   */
  readonly document?: OpenApiDocument<OpenApiVersion> | (() => OpenApiDocument<OpenApiVersion> | Promise<OpenApiDocument<OpenApiVersion>>)
  /**
   * Whether to show an operation: `({ operation }) => !operation.tags?.includes('internal')`. It does not concern a `document`.
   *
   * @default all are shown
   */
  readonly include?: (operation: NamedOperation) => boolean
  /** The page as a client of OAuth 2.0, for the flows with a login page. @default the reader enters the client */
  readonly oauth2?: OAuth2Client
  /**
   * Origins to which the page may send requests, besides its own and those in the OpenAPI document: `['https://oauth2.example']`, where the
   * metadata of OpenID Connect name one, or a server has variables. `'https://*.example'` stands for all hosts below one.
   *
   * @default none
   */
  readonly origins?: readonly string[]
  /** The URL of an icon of the page. @default none */
  readonly icon?: string
  /** A link at the top of the page: `{ name: 'Books', url: '/' }`. @default none */
  readonly home?: { readonly name: string; readonly url: string }
}

const optionNames = 'title, version, description, servers, schemas, tags, introductions, document, include, oauth2, origins, icon, home'

const isText = (value: unknown): boolean => typeof value === 'string'

/** What the other options are. A value of another type would fail at the first request, or be shown. */
const optionTypes: Readonly<Record<string, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  version: ['a text', isText],
  description: ['a text', isText],
  icon: ['the URL of an icon', isText],
  servers: ['a list', Array.isArray],
  introductions: ['a list', Array.isArray],
  document: ['an OpenAPI document, or a function', (value) => typeof value === 'object' || typeof value === 'function'],
  oauth2: ['{ clientId }', (value) => isText(Object(value).clientId)],
  home: ['{ name, url }', (value) => isText(Object(value).name) && isText(Object(value).url)],
  origins: ['a list of origins, such as "https://oauth2.example"', (value) => Array.isArray(value) && value.every(isOrigin)],
}

/** @throws TypeError for an option of another type */
function checkOptionTypes(options: object): void {
  for (const [name, [expected, fits]] of Object.entries(optionTypes)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined || fits(value)) continue
    const found = Array.isArray(value)
      ? value.map((item) => (isText(item) ? JSON.stringify(item) : describeKind(item)))
      : [describeKind(value)]
    throw new TypeError(`documentationPage(): ${name} is ${found.join(', ')}, expected ${expected}.`)
  }
}

/** What the endpoint of the page answers with, in one of its types. */
interface PageContent {
  readonly html: string
  readonly markdown: string
}

const pageContent: Content<PageContent, PageContent> = {
  schema: undefined,
  media: [
    html<PageContent>((page) => page.html),
    mediaType<PageContent>({
      types: ['text/markdown;charset=utf-8', 'text/plain;charset=utf-8'],
      writer: () => (page) => page.markdown,
    }),
  ],
}

const takePath = (target: string): string => target.split('?', 1)[0] as string

/** Returns the function that makes the URL of a file of the page, relative to the URL of the page: that may or may not end with a slash. */
function createResolver({ target, originalTarget = target }: HttpRequest): (path: string) => string {
  const path = takePath(originalTarget)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const base = name === '' ? './' : `./${name}/`
  return (file) => `${base}${file}`
}

/**
 * The URL of the API, relative to the OpenAPI document: as many steps up as the mount of the page has segments, and one more where the URL of
 * the document ends with a slash.
 */
function findServerUrl({ target, original }: HttpRequest): string | undefined {
  const path = takePath(target)
  const prefix = takePath(original?.target ?? target).slice(0, -path.length)
  const steps = prefix.split('/').length - 1 + (path.endsWith('/') ? 1 : 0)
  return prefix === '' ? undefined : Array(steps).fill('..').join('/')
}

const negotiateForPrograms = createNegotiator(['text/markdown', 'text/html'])

/** Browsers do not name Markdown. A program that names it, and HTML as well, with one quality, reads it more easily than a page with scripts. */
function preferMarkdown(request: HttpRequest): HttpRequest {
  const accept = request.header('accept')
  const isPreferred = accept?.includes('text/markdown') === true && negotiateForPrograms(accept) === 0
  return isPreferred ? new ChangedRequest(request, new Map([['accept', 'text/markdown']])) : request
}

/** Makes the server of the page. */
async function createServer(api: Api, options: DocumentationPageOptions): Promise<HttpHandler> {
  const { title, version = '', description, servers, schemas, tags, introductions, include, oauth2, origins = [], icon, home } = options
  const [{ markdown, outline }, { openapi }, assets] = await Promise.all([
    import('lapidary/docs'),
    import('lapidary/openapi'),
    import('../assets/index.js'),
  ])
  const shown = include === undefined ? api : selectOperations(api, include)
  const createDocument = (): Promise<OpenApiDocument<OpenApiVersion>> =>
    openapi<OpenApiVersion>(shown, {
      title,
      version,
      openapi: '3.2',
      ...(description !== undefined && { description }),
      ...(servers !== undefined && { servers }),
      ...(schemas !== undefined && { schemas }),
      ...(tags !== undefined && { tags }),
    })
  const { document: given = createDocument } = options
  const [document, outlined] = await Promise.all([
    typeof given === 'function' ? given() : given,
    outline(shown, { title, ...(introductions !== undefined && { introductions }) }),
  ])
  const markdownText = markdown(outlined)
  const policy = formatPolicy(document, origins)
  const pageHeaders = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-cache' }
  const pageApi = {
    page: endpoint('GET /', { response: ok(pageContent, { headers: { Link: text } }), responseHeaders: pageHeaders, etag: true }),
    openapi: endpoint('GET /openapi.json', { response: ok(json), responseHeaders: { 'Cache-Control': 'no-cache' }, etag: true }),
    redirect: endpoint('GET /oauth2-redirect.html', {
      response: ok(html((page: string) => page)),
      responseHeaders: pageHeaders,
      etag: true,
    }),
    assets: mount('/assets'),
  }
  return serve(pageApi, {
    page: (_, request) => {
      const resolve = createResolver(request)
      const page = renderPage({ title, resolve, script: assets.script.name, style: assets.style.name, icon, home, oauth2 })
      const link = `<${resolve('openapi.json')}>; rel="service-desc"; type="application/json"`
      return withHeaders({ html: page, markdown: markdownText }, { Link: link })
    },
    openapi: (_, request) => {
      const url = document.servers === undefined ? findServerUrl(request) : undefined
      return url === undefined ? document : { ...document, servers: [{ url }] }
    },
    redirect: () => renderRedirectPage(assets.redirectScript.name),
    assets: createAssetServer(Object.values(assets)),
  })
}

/**
 * The documentation of an API: a page to read and to try each endpoint (Swagger UI), the same as Markdown for a program that asks for
 * `text/markdown`, and the OpenAPI document beside it. It is the handler of a mount.
 *
 * The page loads only files of its own server. Its Content-Security-Policy allows no inline script, no inline style and no evaluation of text.
 * The documentation is made at the first request; if that fails, the response is 500, and the next request tries again.
 *
 * @param api what the page shows; the mount of the page itself can be in it
 * @throws TypeError for an option that does not exist or is not of its type
 * @example
 * ```ts
 * import { documentationPage } from '@lapidary/docs-page'
 * import { endpoint, mount, ok, text } from 'lapidary'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }), docs: mount('/docs') }
 * const server = serve(api, { hello: () => 'Hello!', docs: documentationPage(api, { title: 'Greetings' }) })
 * ```
 */
export function documentationPage(api: Api, options: DocumentationPageOptions): HttpHandler {
  if (typeof Object(options).title !== 'string')
    throw new TypeError('documentationPage() needs a title: documentationPage(api, { title: "Books" }).')
  checkOptions('documentationPage()', options, optionNames)
  checkFunctions('documentationPage()', { include: options.include, tags: options.tags })
  checkOptionTypes(options)
  let handler: HttpHandler | undefined
  let starting: Promise<HttpHandler> | undefined
  async function start(): Promise<HttpHandler> {
    try {
      handler = await createServer(api, options)
      return handler
    } finally {
      starting = undefined
    }
  }
  return (request) => {
    const prepared = preferMarkdown(request)
    if (handler !== undefined) return handler(prepared)
    starting ??= start()
    return starting.then((started) => started(prepared))
  }
}
