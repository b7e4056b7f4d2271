/** The results of a check, as plain data. */

/** One broken rule of one endpoint. */
export interface RuleFailure {
  /** The name of the rule. */
  rule: string
  /** What has to be true. */
  description: string
  /** The name of the endpoint: `users.item`. */
  endpoint: string
  /** The route of the endpoint: `GET /users/:id`. */
  route: string
  /** What is wrong: `expected 404, got 200`. */
  violation: string
  /** The `curl` command that shows it; `null` if there was no request. */
  curl: string | null
  /** The response, or why there is none; a long body is truncated. `null` if there was no request. */
  response: string | null
  /** The number of simpler requests, or of plainer sequences, that were tried before this one was found. */
  shrinks: number
  /** The requests of a sequence with their responses, a line each; empty if one request shows the failure. */
  steps: string[]
  /** A shell script that repeats the requests of a sequence; `null` if one request shows the failure. */
  script: string | null
}

/** The results for one endpoint. */
export interface EndpointReport {
  /** The name of the endpoint: `users.item`. */
  endpoint: string
  /** The route of the endpoint: `GET /users/:id`. */
  route: string
  requests: number
  /** The names of the rules that the endpoint keeps. */
  passed: string[]
  /** The names of the rules that could not be tested, because the server refuses every request; empty if it serves some. */
  notTested: string[]
  failures: RuleFailure[]
  /** Why the endpoint was not tested, or only in part; empty if it was tested. */
  skipReason: string
}

/** The results of a check. */
export interface CheckReport {
  /** The URL of the server. */
  base: string
  /** The seed that repeats the check. */
  seed: number
  requests: number
  milliseconds: number
  endpoints: EndpointReport[]
  /** The results of sequences of requests, by the endpoint that reads an item; empty without the option `steps`. */
  sequences: EndpointReport[]
  /** The failures of all endpoints and sequences. */
  failures: RuleFailure[]
  /** Whether the budget was used up before the end. */
  isOverBudget: boolean
}

/** How far a check has come. */
export interface CheckProgress {
  /** The endpoint that was checked last. */
  readonly endpoint: string
  /** The number of checked endpoints. */
  readonly completed: number
  /** The number of all endpoints. */
  readonly total: number
  readonly requests: number
  readonly failures: number
}
