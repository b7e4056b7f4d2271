/** The module of SQLite on every Node. These tests load the sources again, so they have a file of their own. */

import { afterEach, describe, expect, test, vi } from 'vitest'
import type { OpenError } from '../../../src/store/errors.ts'
import { failure } from '../scratch.ts'

describe('the module of a Node that', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.resetModules()
  })

  /** The module as it is where this Node gives `found` for its own, and all that was warned of meanwhile. */
  async function loaded(found: () => unknown) {
    const warned: unknown[] = []
    vi.spyOn(process, 'emitWarning').mockImplementation((warning) => void warned.push(String(warning)))
    const before = process.emitWarning
    const { getBuiltinModule } = process
    process.getBuiltinModule = ((name: string) => (name === 'node:sqlite' ? found() : getBuiltinModule?.(name))) as typeof getBuiltinModule
    try {
      vi.resetModules()
      const { DatabaseSync } = await import('../../../src/store/sqlite/module.ts')
      expect(process.emitWarning).toBe(before)
      return { DatabaseSync, warned }
    } finally {
      process.getBuiltinModule = getBuiltinModule
    }
  }

  class Own {}
  class Statement {
    setReturnArrays(): void {}
  }

  test('warns about its module, this warning is suppressed, and no other one', async () => {
    const found = await loaded(() => {
      process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
      process.emitWarning('something else', 'ExperimentalWarning')
      return { DatabaseSync: Own, StatementSync: Statement }
    })
    expect(found).toEqual({ DatabaseSync: Own, warned: ['something else'] })
  })

  test('has an incomplete module, it is the package', async () => {
    const { DatabaseSync } = await loaded(() => ({ DatabaseSync: Own, StatementSync: class {} }))
    expect(new DatabaseSync(':memory:').prepare('SELECT 1 AS one').get()).toEqual({ one: 1 })
  })

  test('has no module and no package, one line names the remedy', async () => {
    vi.doMock('@photostructure/sqlite', () => {
      throw new Error('No native build was found for this system.')
    })
    const error = await failure(() => loaded(() => undefined))
    vi.doUnmock('@photostructure/sqlite')
    expect((error as OpenError).name).toBe('OpenError')
    expect(String(error)).toMatch(/^OpenError: Cannot open SQLite databases: [^\n]* Use Node\.js 22\.16 or newer\.$/)
  })
})
