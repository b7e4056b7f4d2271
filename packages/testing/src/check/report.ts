/** What a check has found. Plain data. */
/** One thing that is not so. */
export interface RuleFailure {
  /** The name of the predicate that does not hold. */
  rule: string
  /** What has to be so. */
  description: string
  /** The endpoint: `users.item`. */
  endpoint: string
  /** `GET /users/:id` */
  route: string
  /** What is wrong: `expected 404, got 200`. */
  violation: string
  /** The line that shows it; null where there was no request. */
  curl: string | null
  /** The head of the answer, and as much of its body as a person reads; null where there was none. */
  response: string | null
  /** How many plainer requests were tried on the way to this one. */
  shrinks: number
}

/** How one endpoint fared. */
export interface EndpointReport {
  endpoint: string
  route: string
  requests: number
  /** The names of the predicates that hold of it. */
  passed: string[]
  failures: RuleFailure[]
  /** Why it was not looked at, or not in all; empty: it was. */
  skipReason: string
}

/** What a check has found. */
export interface CheckReport {
  base: string
  /** Repeats the check. */
  seed: number
  requests: number
  milliseconds: number
  endpoints: EndpointReport[]
  /** Everything that is not so, whichever the endpoint. */
  failures: RuleFailure[]
  /** Whether the budget was spent before the end. */
  isOverBudget: boolean
}

/** Somebody who is told how far a check has come. */
export interface CheckProgress {
  readonly endpoint: string
  readonly completed: number
  readonly total: number
  readonly requests: number
  readonly failures: number
}
