/** `--semver`: which part of a version the changes of an API raise, for old clients and for new ones (https://semver.org). */
import type { Change } from '@lapidary/testing'

/** Whether a change makes the command fail. */
export const isBreakingChange = ({ clients }: Change, isStrict: boolean): boolean =>
  clients === 'breaking' || (isStrict && clients === 'unknown')

/** The part of a version. */
export type VersionPart = 'major' | 'minor' | 'patch'

/** Whether programs see a change at all. A new name alone is in the description, and a deprecation is a note. */
const isOnWire = ({ change, place }: Change): boolean => change !== 'renamed' && place !== 'deprecated'

/** The part for the clients of the API, whose programs have the old description. */
export function getVersionPart(changes: readonly Change[], isStrict: boolean): VersionPart {
  if (changes.some((change) => isBreakingChange(change, isStrict))) return 'major'
  return changes.some((change) => isOnWire(change) || change.place === 'deprecated') ? 'minor' : 'patch'
}

/** Counts changes, with a verb: `1 change breaks them`. */
const countChanges = (count: number, verb = 'break'): string => (count === 1 ? `1 change ${verb}s` : `${count} changes ${verb}`)

/** Why: a line for clients of the old version, and one for those of the new version. */
export function explainVersionPart(changes: readonly Change[], isStrict: boolean): readonly string[] {
  const part = getVersionPart(changes, isStrict)
  const breaking = changes.filter((change) => isBreakingChange(change, isStrict)).length
  const unknown = changes.filter(({ clients }) => clients === 'unknown').length
  const late = changes.filter(({ servers }) => servers === 'breaking').length
  const why = {
    major: isStrict ? `${countChanges(breaking)} them, or may do so` : `${countChanges(breaking)} them`,
    minor: 'there is more than before, and nothing breaks them',
    patch: 'requests and responses stay the same',
  }
  const doubt = part !== 'major' && unknown > 0 ? `. ${unknown} of the changes may break them: with --strict, it is major` : ''
  return [
    `Clients of the old version: ${part}, because ${why[part]}${doubt}.`,
    late === 0
      ? 'Clients of the new version: old servers serve them, too.'
      : `Clients of the new version: ${countChanges(late)} them while servers are old. Release the servers first.`,
  ]
}
