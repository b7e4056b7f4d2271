/** All tests, against the TypeScript sources: `lapidary` means `packages/lapidary/src`. The tests of the service run once on each database. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** As Node resolves packages: `module` would mean code for bundlers, which Node cannot load. */
const conditions = ['node', 'development|production']

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Each subpath of a package stands for its TypeScript source. */
const sources = [
  { find: /^lapidary$/, replacement: source('packages/lapidary/src/index.ts') },
  { find: /^lapidary\/([\w-]+)$/, replacement: source('packages/lapidary/src/$1.ts') },
  { find: /^@lapidary\/([\w-]+)$/, replacement: source('packages/$1/src/index.ts') },
  { find: /^@lapidary\/([\w-]+)\/([\w-]+)$/, replacement: source('packages/$1/src/$2.ts') },
]

/** A set of test files, and where they run: on which database, in which time zone. */
const project = (
  name: string,
  include: string | readonly string[],
  rest: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({
  resolve: { conditions, alias: sources },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    include: [include].flat(),
    pool: 'forks',
    // Only a test that hangs takes so long. All others may take their time on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    ...rest,
  },
})

/** The tests over sockets run again with the llhttp adapter: the most telling of them, and all of them every night. */
const overSockets = [
  'adapters/{abandonedStreams,acceptQueue,clientLimits,framing,lateBodies,leaks,malformedRequests,mountedResponses,mounts}',
  'adapters/{rawSockets,requestEnds,responseCookies,runningServer,smallChunks,streamEnd,streamStart,streamTurns}',
  'middleware/accessLog',
  'server/{bodyStreams,errorsOfOneStatus,streamMultipart}',
  'static/sendFile',
]
const overSocketsToo = [
  'adapters/{requestMatrix,streams}',
  'contract/media/download',
  'docs/executed',
  'middleware/{compose,cors,loadShedding,timeout}',
  'opentelemetry/tracing',
  'server/{dispatch,errorResponse,idempotency,serve}',
]

/** Files share a process one after the other: loading everything anew for each took longer than most tests do. */
const shared = { isolate: false } as const

/** `npm test` runs each rule where it can break. `SAMPLES=whole npm test`, which runs every night, repeats all of them everywhere. */
const isWhole = process.env['SAMPLES'] === 'whole'

/** What PostgreSQL has no part in, or none that other tests do not show. */
const notPostgres = [
  'service/test/**/*.sqlite.test.ts',
  'service/test/{account,api,deployment,kubernetes,log,readme,redact,settings,shutdown,start,trustProxy}.test.ts',
  'service/test/accounts/{credentials,password,rules}.test.ts',
  'service/test/colors/file.test.ts',
  'service/test/observability/{aggregation,dashboard,overload}.test.ts',
  'service/test/specification/{documentation,empty,fileContent,headers,hello,limits,marketing,openapi,persons,position,staticFiles,stream}.test.ts',
  // Rules of HTTP and of processes, which run on SQLite. Other files have what PostgreSQL stores, streams and locks.
  ...(isWhole
    ? []
    : [
        'service/test/documented/main.test.ts',
        'service/test/specification/authentication.test.ts',
        'service/test/{cluster/start,colors/count}.test.ts',
      ]),
]

/** What HTTP/2 has no part in: how accounts, items and pages are stored. Their headers are in other files of the specification. */
const notHttp2 = [
  // A thousand walks.
  'service/test/specification/colorsWalk.test.ts',
  ...(isWhole
    ? []
    : [
        'service/test/documented/main.test.ts',
        'service/test/specification/{accounts,authentication,collections,colorsAfter,persons,records,users}.test.ts',
      ]),
]
const onPostgres = (TZ: string, TWINS: 'yes' | 'no'): TestProjectInlineConfiguration['test'] => ({
  ...shared,
  exclude: notPostgres,
  env: { DATABASE: 'postgres', TZ, TWINS },
  globalSetup: ['scripts/globalPostgres.mjs'],
})

/** Where tests import `lapidary/node`, they get the llhttp adapter. The package itself, which falls back to node:http, does not. */
const llhttpInPlaceOfNode = {
  name: 'llhttp-in-place-of-node',
  enforce: 'pre',
  resolveId: (path: string, importer: string | undefined) =>
    path === source('packages/lapidary/src/node.ts') && importer?.startsWith(source('packages/llhttp/src/')) === false
      ? source('packages/llhttp/test/support/nodeEntryPoint.ts')
      : undefined,
} as const

const overSocketsHere = [...overSockets, ...(process.env['LLHTTP'] === 'whole' ? overSocketsToo : [])]

/** The tests of the llhttp adapter, and the tests over sockets, where `lapidary/node` means it. */
const llhttp: TestProjectInlineConfiguration = {
  ...project('llhttp', ['packages/llhttp/test/**/*.test.ts', ...overSocketsHere.map((path) => `packages/lapidary/test/${path}.test.ts`)], {
    ...shared,
    env: { ADAPTER: 'llhttp' },
  }),
  plugins: [llhttpInPlaceOfNode],
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/globalSetup.mjs'],
    // More than there are cores may be: most of these tests wait for sockets and processes.
    maxWorkers: 6,
    // Each source is compiled once for all projects, and again when it changes.
    experimental: { fsModuleCache: true },
    teardownTimeout: 10_000,
    projects: [
      project('repository', 'scripts/test/**/*.test.ts', shared),
      // A server that they start has the build. The conformance tests run them with the packed packages.
      project('examples', 'examples/*/test/**/*.test.ts', shared),
      project('toolkit', 'packages/*/test/**/*.test.ts', { ...shared, exclude: ['packages/llhttp/test/**'] }),
      llhttp,
      project('sqlite', 'service/test/**/*.test.ts', {
        ...shared,
        exclude: ['service/test/**/*.postgres.test.ts'],
        env: { DATABASE: 'sqlite', TZ: 'Pacific/Kiritimati' },
      }),
      // Everything that is said in HTTP, over TLS and HTTP/2.
      project('http2', ['service/test/specification/**/*.test.ts', 'service/test/{documented/main,api,trustProxy}.test.ts'], {
        ...shared,
        exclude: notHttp2,
        env: { DATABASE: 'sqlite', TZ: 'Pacific/Kiritimati', PROTOCOL: 'h2', NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
      }),
      // Days begin 26 hours apart in these two zones: what has days in it is asked again in the second.
      project('postgres', 'service/test/**/*.test.ts', onPostgres('America/Los_Angeles', 'yes')),
      project('postgres-east', 'service/test/specification/{collections,records,users}.test.ts', onPostgres('Pacific/Kiritimati', 'no')),
    ],
  },
})
