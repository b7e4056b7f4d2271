/** Messages of this package: to programmers, and to the clients of a mock. */

/** Errors in what a program passes to `checkServer`, `mock` or `diff`. */
export const testingErrors = {
  comparisonTimeout: (seconds: number): string =>
    `The comparison took longer than ${seconds} s and was stopped: a schema of one version is too complex to compare.`,
  unknownCheckEndpoint: (name: string, names: string): string =>
    `The API has no endpoint and no group named "${name}". It has ${names}. Name one of these in "only" and "except".`,
  unknownCapture: (name: string, names: string): string =>
    `No endpoint of the API has a capture named "${name}". ${names === '' ? 'The API has no captures' : `Its captures: ${names}`}.`,
  invalidCapture: (name: string, text: string): string =>
    `No endpoint accepts ${JSON.stringify(text)} for the capture "${name}". Pass the text as it is in a URL of the server.`,
  invalidCount: (name: string, value: unknown, min: number): string =>
    `The option "${name}" is ${String(value)}. Pass an integer of at least ${min}.`,
  clientsWithoutSteps: 'The option "clients" needs "steps": several clients send the requests of sequences.',
  stepsWithoutWrite: 'The option "steps" needs "write": its requests create, change and delete items.',
  unwritableCredentials: (scheme: string): string =>
    `The auth scheme "${scheme}" cannot write the given credentials as headers. Pass credentials in the form of its "example".`,
  unknownMockEndpoint: (name: string): string =>
    `The options of the mock name the endpoint "${name}", which the API does not have. Use a name that operations(api) lists.`,
  unknownMockMount: (name: string): string =>
    `The options of the mock name the mount "${name}", which the API does not have. Use a name that operations(api) lists.`,
  invalidFaultRate: (name: string, value: unknown): string =>
    `The fault rate "${name}" is ${String(value)}. Pass a share of the requests, from 0 to 1.`,
  invalidDelay: (min: unknown, max: unknown): string =>
    `The delay has min ${String(min)} and max ${String(max)}. Pass milliseconds: min at least 0, max at least min and at most 2147483647.`,
  invalidSeed: (value: unknown): string => `The seed is ${String(value)}. Pass an integer.`,
  invalidManifest: (place: string, expected: string): string =>
    `The manifest${place === '' ? '' : ` at "${place}"`} is not valid: expected ${expected}. Create it again with "lapidary manifest".`,
} as const

/** The `detail` of problem details that a mock sends. */
/** A number with its noun: `1 request`, `1,200 requests`. */
export const formatCount = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

export const mockDetail = {
  noExample: (route: string): string =>
    `The mock found no value for a response of ${route}. Give the endpoint an example, or pass the mock a handler for it.`,
  page: (route: string): string => `This is a mock. Only the real server creates the response of ${route}.`,
  notFound: (id: string): string => `There is no item with the identifier ${id}.`,
  taken: (): string => 'Another item has this identifier. Send another one.',
  otherIdentifier: (id: string): string => `The body names another item than the path. Send the identifier ${id}, or none.`,
  full: (): string => 'Every possible identifier is in use. Delete an item first.',
  removed: (): string => 'This resource was deleted.',
  notMounted: (prefix: string): string => `This is a mock, and nothing is mounted at ${prefix}. Pass a handler for the mount in "mounts".`,
  unavailable: (): string => 'The mock simulates a failure here. Try again in a moment.',
} as const
