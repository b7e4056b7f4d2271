/** The tests of both workspaces, against the TypeScript sources: `lapidary` means `lapidary/src`. Those of the service run once on each database. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** As Node resolves packages: `module` would mean code for bundlers, which Node cannot load. */
const conditions = ['source', 'node', 'development|production']

/** A set of test files, and where they run: on which database, in which time zone. */
const project = (name: string, include: string, rest: TestProjectInlineConfiguration['test'] = {}): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    include: [include],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    ...rest,
  },
})

/** What goes over sockets, once more over those of the swift carrier: what is most about them, and everything where there is time for it. */
const overSockets =
  process.env['SWIFT'] === 'whole'
    ? 'accepted,cookies,cors,deadline,docsExecuted,foreign,framing,leftovers,limits,listen,matrix,observed,opentelemetry,problems,serving,severalErrors,shedding,streamEnds,streamHeads,streams,streamsLeft,unmatched,unreadable,wire'
    : 'accepted,cookies,foreign,framing,leftovers,limits,listen,observed,severalErrors,streamEnds,streamHeads,streamsLeft,unreadable,wire'

/** Files share a process one after the other: loading everything anew for each took longer than most tests do. */
const shared = { isolate: false } as const

/** What PostgreSQL has no part in, or none that other tests do not show. */
const notPostgres = [
  'service/test/**/*.sqlite.test.ts',
  'service/test/{deployment,log,proxied,readme,settings,shutdown,start}.test.ts',
  'service/test/accounts/{account,credentials,name,origin,password}.test.ts',
  'service/test/colors/file.test.ts',
  'service/test/observe/{dashboard,exposition,harmlessTarget,refusals,traceId}.test.ts',
  'service/test/specification/{documentation,empty,fileContent,headers,hello,limits,marketing,openapi,persons,position,staticFiles,stream}.test.ts',
  'service/test/workers/{pace,wholeLines}.test.ts',
]
const onPostgres = (TZ: string, TWINS: 'yes' | 'no'): TestProjectInlineConfiguration['test'] => ({
  ...shared,
  exclude: notPostgres,
  env: { DATABASE: 'postgres', TZ, TWINS },
  globalSetup: ['scripts/globalPostgres.mjs'],
})

/** The toolkit's tests of sockets, where `lapidary/node` means the swift carrier. */
const swift: TestProjectInlineConfiguration = {
  ...project('swift', `lapidary/test/{${overSockets},swift/*}.test.ts`, { ...shared, env: { CARRIER: 'swift' } }),
  resolve: { conditions, alias: { 'lapidary/node': fileURLToPath(new URL('lapidary/test/swift/door.ts', import.meta.url)) } },
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/globalSetup.mjs'],
    // More than there are cores may be: most of these tests wait for sockets and processes.
    maxWorkers: 3,
    teardownTimeout: 10_000,
    projects: [
      project('toolkit', 'lapidary/test/**/*.test.ts', { ...shared, exclude: ['lapidary/test/swift/**'] }),
      swift,
      project('sqlite', 'service/test/**/*.test.ts', {
        ...shared,
        exclude: ['service/test/**/*.postgres.test.ts'],
        env: { DATABASE: 'sqlite', TZ: 'Pacific/Kiritimati' },
      }),
      // Days begin 26 hours apart in these two zones: what has days in it is asked again in the second.
      project('postgres', 'service/test/**/*.test.ts', onPostgres('America/Los_Angeles', 'yes')),
      project('postgres-east', 'service/test/specification/{collections,records,users}.test.ts', onPostgres('Pacific/Kiritimati', 'no')),
    ],
  },
})
