/** Requests beside a witness that the new description allows: where the server refuses them all, its refusal shows nothing of the change. */
import { sample } from '../../generate/sample.ts'
import { createArbitrary } from '../../generate/values.ts'
import type { Change } from '../change.ts'
import { listEssences } from '../contentChanges.ts'
import type { EndpointManifest } from '../manifest.ts'
import { parseBodySchema } from '../sharedDefinitions.ts'

/** How many bodies are sent. A server may want more of a body than its description says. */
const controlCount = 3

/**
 * Lists JSON bodies that the new endpoint accepts, for a change of its body.
 *
 * @returns none where the change is about something else, and where no body is generated
 */
export function listControls({ place }: Change, endpoint: EndpointManifest | undefined): readonly string[] {
  const content = endpoint?.body ?? undefined
  if (!/^body\b/.test(place) || !content?.schema || !listEssences(content).some((type) => /[/+]json$/.test(type))) return []
  const { raw, root } = parseBodySchema(content.schema)
  const values = createArbitrary(raw, undefined, 'plain', root)
  return values === undefined ? [] : [...new Set(sample(values, 1, controlCount).map((value) => JSON.stringify(value)))]
}
