/** Runs the same tests against a server on each adapter. */
import type { ApiServer } from 'lapidary/server'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { adapters, type Running, type RunningAdapter } from './adapters.ts'
import { expectResponse, type Row } from './row.ts'

/** A group of tests for each adapter, named after it. The server starts before the tests of the group and closes after them. */
export function describeEachAdapter(server: ApiServer, defineTests: (running: Running) => void): void {
  describe.each(adapters)('$name', ({ startAdapter }) => {
    let adapter: RunningAdapter
    beforeAll(async () => {
      adapter = await startAdapter(server)
    })
    afterAll(() => adapter.close())

    // Tests are defined before the server starts, so `adapter` is read at each call.
    defineTests({
      get hasReasonPhrases() {
        return adapter.hasReasonPhrases
      },
      fetch: (target, init) => adapter.fetch(target, init),
    })
  })
}

/** A test for each row, named by its sentence. */
export function testRows(running: Running, rows: readonly Row[]): void {
  test.each(rows)('%s', (_sentence, request, expected) => expectResponse(running, request, expected))
}
