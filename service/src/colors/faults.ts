/** What is wrong with a file, item by item: as many reasons as one reads, and how many more there are. */

/** How many are shown. */
const most = 20

export interface Faults {
  readonly add: (fault: string) => void
  /** A line for each that is shown; none when nothing is wrong. */
  readonly lines: () => readonly string[]
}

export function faults(): Faults {
  const shown: string[] = []
  let more = 0
  return Object.freeze({
    add: (fault) => {
      if (shown.length < most) shown.push(fault)
      else more += 1
    },
    lines: () => (more === 0 ? shown : [...shown, `… and ${more} more`]),
  } satisfies Faults)
}
