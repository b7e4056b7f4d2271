/** A clock that only moves when a test moves it. */

export interface Clock {
  readonly now: () => number
  readonly pass: (milliseconds: number) => void
}

export function clock(): Clock {
  let time = 1000
  return {
    now: () => time,
    pass: (milliseconds) => {
      time += milliseconds
    },
  }
}
