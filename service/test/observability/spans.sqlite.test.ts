/** With an SDK of OpenTelemetry the service exports a span for each request, in the trace that the log names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SpanKind } from '@opentelemetry/api'
import { tracing } from 'lapidary/opentelemetry'
import { toFetch } from 'lapidary/server'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { recorded } from '../../../packages/lapidary/test/support/opentelemetry/recordSpans.ts'
import { createServers } from '../../src/server.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'
import { send, withHeaders } from '../specification/send.ts'
import { folderOfTest, type Process, serviceProcess } from '../support/service.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly parent?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Starts it with the SDK. */
function observed(environment: Readonly<Record<string, string>>, folder: string): Process {
  const NODE_OPTIONS = `--import=${new URL('instrumentation.mjs', import.meta.url)}`
  return serviceProcess(
    ['main'],
    { PORT: '0', DATABASE_URL: 'sqlite:service.db', SHUTDOWN_GRACE_MS: '100', NODE_OPTIONS, ...environment },
    folder,
  )
}

test.each(['1', '2'])('where WORKERS is %s, every span is exported, and the log has its trace', async (WORKERS) => {
  const folder = folderOfTest()
  const SPANS = join(folder, 'spans')
  const { child, listening, lines, ended } = observed({ WORKERS, SPANS }, folder)
  const base = await listening('main')
  await send(base, withHeaders('GET /users', { traceparent: `00-${traceId}-${spanId}-01` }))
  await send(base, withHeaders('GET /userStream?token=aSecret', { traceparent: 'none' }))
  await send(base, withHeaders('GET /position/1/2', {}))
  await send(base, withHeaders('GET /nowhere', {}))
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, errors: '' })

  const spans = readFileSync(SPANS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Span)
  expect(spans.map(({ name, attributes }) => `${name}: ${attributes['http.response.status_code']}`).sort()).toEqual([
    'GET /position/:x/:y: 200',
    'GET /userStream: 200',
    'GET /users: 200',
    'GET: 404',
  ])
  expect(spans.find(({ name }) => name === 'GET /users')).toMatchObject({ traceId, parent: spanId })
  expect(JSON.stringify(spans)).not.toContain('aSecret')
  const logged = lines.filter(({ msg }) => msg === 'request').map((line) => [String(line['target']).replace(/\?.*/, ''), line['traceId']])
  expect(Object.fromEntries(logged)).toEqual(Object.fromEntries(spans.map((span) => [span.attributes['url.path'], span.traceId])))
})

test.each([
  ['does not answer', () => ({})],
  ['fails', (folder: string) => ({ SPANS: folder })],
])('a service whose span exporter %s closes in order, and logs that the spans are lost', async (_how, environment) => {
  const folder = folderOfTest()
  const { child, listening, line, ended } = observed(environment(folder), folder)
  expect((await send(await listening('main'), withHeaders('GET /hello', {}))).status).toBe(200)
  child.kill('SIGTERM')
  expect(await line(({ msg }) => msg === 'the last spans are lost')).toMatchObject({ level: 'warn' })
  expect(await ended).toMatchObject({ status: 0, errors: '' })
})

test('an unexpected error is recorded in the span of its request', async () => {
  const { first } = recorded()
  const store = await openStore('sqlite::memory:')
  onTestFinished(async () => store.close())
  const all = (): never => {
    throw new Error('planted')
  }
  const parts = { settings: readSettings({ WORKING_DIR: folderOfTest() }), log: pino({ level: 'silent' }) }
  const { main } = await createServers({ ...parts, store: { ...store, persons: { all } } }, { main: [tracing()] })
  await toFetch(main)(new Request('http://a/persons'))
  const { name, events } = await first(SpanKind.SERVER)
  expect([name, events[0]?.attributes?.['exception.message']]).toEqual(['GET /persons', 'planted'])
})
