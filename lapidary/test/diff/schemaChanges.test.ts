/** The changes of a schema, member by member, say together what the schemas as wholes say. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from '../../src/diff/canonical.ts'
import { type Flow, schemaChanges } from '../../src/diff/schemaChanges.ts'
import { within } from '../../src/diff/within.ts'
import { valuesOf } from '../../src/generate/values.ts'
import { pairs } from './schemas.ts'

const flows: readonly Flow[] = ['request', 'answer']

test.each(flows)('of %ss (SEED)', { timeout: 120_000 }, (flow) => {
  fc.assert(
    fc.property(pairs, (schemas) => {
      const [old, now] = [canonical(schemas[0]), canonical(schemas[1])]
      const [writer, reader] = flow === 'request' ? [old, now] : [now, old]
      const clients = schemaChanges('', old, now, flow).map((change) => change.clients)
      const whole = within(writer, reader)
      if (whole.is === 'no') expect(clients.some((verdict) => verdict !== 'safe')).toBe(true)
      // A schema without any value is within all others, whatever its members are.
      if (whole.is === 'yes' && valuesOf(writer) !== undefined) expect(clients).not.toContain('breaking')
    }),
    { seed: Number(process.env['SEED'] ?? 3), numRuns: 150 },
  )
})
