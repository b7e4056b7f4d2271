/** The results of a check, as plain data. */

/** One cause by which one endpoint breaks a rule. */
export interface RuleFailure {
  /** The name of the rule. */
  rule: string
  /** Identifies the cause: failures with the same cause are one fault, at several places. */
  cause: string
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
  /** The number of further causes of the rule at this endpoint, which are not reported: it is that of the last reported one, otherwise 0. */
  more: number
}

/** How many responses have a status. */
export interface StatusCount {
  status: number
  count: number
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
  /** The statuses that valid requests got, the most frequent first; empty if none was sent, and for sequences. */
  statuses: StatusCount[]
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
  /** The number of requests that got a response. */
  responses: number
  /** Why the server could not be reached, or not any more; empty if it could to the end. */
  outage: string
  /** Whether every request got 404: the API is not at this URL. */
  isElsewhere: boolean
  /** Whether every valid request with the given credentials got 401, or 404 where a router looks at the path first. */
  areCredentialsRefused: boolean
  /** What the check has created and not deleted, by collection; empty if nothing is left. */
  leftBehind: LeftItems[]
}

/** Items of a collection that a check has created and not deleted. */
export interface LeftItems {
  /** The path of the collection: `/users`; the route of a POST whose responses do not say what is new. */
  collection: string
  /** The paths of the items: `/users/7`; empty where they are not known. */
  items: string[]
  /** Why they were not deleted: `there is no DELETE`. */
  reason: string
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
