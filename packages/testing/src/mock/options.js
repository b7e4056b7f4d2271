/** What a mock may be told besides the description. */
import { developerErrors as complaint } from 'lapidary/internal'

const isFraction = (value) => value >= 0 && value <= 1
function checkFault(fault) {
  for (const name of ['unavailable', 'cut']) {
    const value = fault[name] ?? 0
    if (!isFraction(value)) throw new TypeError(complaint.invalidFaultRate(name, value))
  }
}
/** @throws TypeError for what cannot be meant: names that nothing has, numbers out of their bounds. */
export function checkMockOptions({ seed = 1, handlers: answers = {}, mounts = {}, delay, faults = {} }, names) {
  if (!Number.isSafeInteger(seed)) throw new TypeError(complaint.invalidSeed(seed))
  const stray = [...Object.keys(answers), ...Object.keys(faults.at ?? {})].find((name) => !names.endpoints.has(name))
  if (stray !== undefined) throw new TypeError(complaint.unknownMockEndpoint(stray))
  const nowhere = Object.keys(mounts).find((name) => !names.mounts.has(name))
  if (nowhere !== undefined) throw new TypeError(complaint.unknownMockMount(nowhere))
  if (delay !== undefined && !(delay.min >= 0 && delay.max >= delay.min && Number.isFinite(delay.max)))
    throw new TypeError(complaint.invalidDelay(delay.min, delay.max))
  for (const fault of [faults, ...Object.values(faults.at ?? {})]) if (fault !== undefined) checkFault(fault)
}
