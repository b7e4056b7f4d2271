/** What a check has found. Plain data. */
/** One thing that is not so. */
export interface Failure {
  /** The name of the predicate that does not hold. */
  predicate: string
  /** What has to be so. */
  sentence: string
  /** The endpoint: `users.item`. */
  endpoint: string
  /** `GET /users/:id` */
  route: string
  /** What is wrong: `expected 404, got 200`. */
  complaint: string
  /** The line that shows it; null where there was no request. */
  curl: string | null
  /** The head of the answer, and as much of its body as a person reads; null where there was none. */
  answer: string | null
  /** How many plainer requests were tried on the way to this one. */
  shrunk: number
}

/** How one endpoint fared. */
export interface Checked {
  endpoint: string
  route: string
  requests: number
  /** The names of the predicates that hold of it. */
  held: string[]
  failures: Failure[]
  /** Why it was not looked at, or not in all; empty: it was. */
  skipped: string
}

/** What a check has found. */
export interface Report {
  base: string
  /** Repeats the check. */
  seed: number
  requests: number
  milliseconds: number
  endpoints: Checked[]
  /** Everything that is not so, whichever the endpoint. */
  failures: Failure[]
  /** Whether the budget was spent before the end. */
  unfinished: boolean
}

/** Somebody who is told how far a check has come. */
export interface Progress {
  readonly endpoint: string
  readonly done: number
  readonly of: number
  readonly requests: number
  readonly failures: number
}
