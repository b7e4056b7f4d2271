/** Puts the headers of a request together. */
import * as complaint from '../describe/complaint.ts'
import { joinHeaderValues } from '../describe/headerField.ts'

/** Headers by their names. */
export type HeaderRecord = Readonly<Record<string, string>>

/** All of them, each name once, in whatever case it is written: what comes later wins. @throws TypeError for a value that cannot be sent. */
export function mergeHeaderRecords(route: string, ...records: readonly (HeaderRecord | undefined)[]): Headers {
  const merged = new Headers()
  for (const [name, value] of records.flatMap((record = {}) => Object.entries(record))) {
    if (joinHeaderValues([value], false) === undefined) throw new TypeError(complaint.invalidRequestHeader(route, name))
    merged.set(name, value)
  }
  return merged
}
