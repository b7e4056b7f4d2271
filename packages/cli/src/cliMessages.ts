/**
 * Sentences for whoever uses the command line: what is wrong with the words that were given, and which to give.
 * Used as `import * as usage from './usage.ts'`.
 */

const joinNames = (words: readonly string[], none: string): string => (words.length === 0 ? none : words.join(', '))

export const missingModule = (module: string): string =>
  `There is no module at ${module}. Name the file that exports the api, such as ./src/api.ts.`
export const typescriptNotSupported = (module: string): string =>
  `${module} needs more TypeScript than this Node runs by itself. Install tsx in the project (npm install --save-dev tsx), or name the compiled JavaScript.`
export const moduleNotLoaded = (module: string, reason: string): string => `${module} cannot be loaded: ${reason}`
export const missingApi = (module: string, exported: readonly string[]): string =>
  `${module} exports no API, which is a record of endpoints: export const api = { … }. It exports ${joinNames(exported, 'nothing')}.`
export const unknownApi = (module: string, name: string, apis: readonly string[]): string =>
  `${module} exports no API under the name "${name}". Those that it exports: ${joinNames(apis, 'none')}.`
export const ambiguousApi = (module: string, apis: readonly string[]): string =>
  `${module} exports several APIs: ${apis.join(', ')}. Say which: --export ${apis[0]}.`
export const missingTitle = (module: string): string =>
  `${module} is in no package that would have a name. Give the document a title: --title "My API".`
export const fileNotWritten = (file: string, reason: string): string => `${file} cannot be written: ${reason}.`
export const fileNotRead = (file: string, reason: string): string => `${file} cannot be read: ${reason}.`
export const invalidAddress = (name: string, value: string): string =>
  `${name}: "${value}" is not the address of a server. Write http:// or https://, a host and, where it has one, a path, such as http://127.0.0.1:8081.`

export const invalidCallOrder = (): string =>
  'First the module, then the endpoint, then its flags: lapidary call ./src/api.ts users.list --sortby age.'
export const callExamples = (): string =>
  [
    'lapidary call ./src/api.ts users.list --help',
    'lapidary call ./src/api.ts users.list --sortby age',
    "lapidary call ./src/api.ts GET '/users?sortby=age'",
    'lapidary call ./src/api.ts users.create --body @user.json',
  ]
    .map((line) => `  ${line}`)
    .join('\n')
export const unknownEndpoint = (name: string, names: readonly string[]): string =>
  `There is no endpoint "${name}". There are: ${joinNames(names, 'none')}.`
export const unknownRoute = (method: string, path: string): string =>
  `${method} ${path} leads to no endpoint. The command "lapidary routes" shows where endpoints are.`
export const methodNotOffered = (method: string, path: string, methods: readonly string[]): string =>
  `${path} is not offered by ${method}. Offered: ${methods.join(', ')}.`
export const mountNeedsPath = (name: string, prefix: string): string =>
  `"${name}" is everything under ${prefix}: call it by a method and a path, such as GET ${prefix}/….`
export const unknownQueryParameter = (route: string, name: string, declared: readonly string[]): string =>
  `${route} has no query parameter "${name}". Declared: ${joinNames(declared, 'none')}.`
export const unexpectedBody = (route: string): string => `${route} takes no body: leave --body out.`
export const missingBody = (route: string, types: readonly string[]): string =>
  `${route} takes a body (${types.join(' or ')}): give it as --body TEXT, --body @FILE or --body - for standard input.`
export const unsupportedBodyType = (route: string, type: string, types: readonly string[]): string =>
  `${route} does not take ${type}. Choose one of ${types.join(', ')}.`
export const invalidMediaType = (type: string): string => `"${type}" is not a media type. Write one such as --type text/plain.`
/** The line is not shown: there may be a secret in it. */
export const invalidHeaderLine = (): string =>
  'What stands behind -H is not a header. Write a name, a colon and a value: -H "X-Api-Key: 42".'
export const missingAuthScheme = (flag: string, names: readonly string[]): string =>
  `No auth scheme of this API takes what ${flag} gives${names.length === 0 ? '' : ` (it has ${names.join(', ')})`}. Show credentials by a header: -H "Name: value".`
export const invalidTimeout = (value: string): string => `--timeout: expected a number of seconds such as 2.5, got "${value}".`
export const conflictingCredentials = (): string => 'Give --user or --token, not both.'
export const missingSecret = (what: string, variable: string): string =>
  `There is no ${what}: write it behind the flag, set ${variable}, or run this on a terminal, which asks for it.`
export const seeHelp = (command: string): string => `${command} --help tells what may be given.`

export const noResponse = (call: string, reason: string): string =>
  `${call} got no response: ${reason}. Start the server, or say where it is: --base URL, or LAPIDARY_BASE.`
export const responseTimeout = (call: string, limit: number): string => `${call} was not answered in full within ${limit} s.`
export const responseCutOff = (call: string, reason: string): string => `${call} got a response that was cut off: ${reason}.`

// mock
export const portInUse = (host: string, port: number): string =>
  `Another program listens at ${host}:${port}. End it, or choose another port: --port 8082, or --port 0 for any free one.`
export const cannotListen = (host: string, port: number, reason: string): string => `Nobody can listen at ${host}:${port}: ${reason}.`
export const invalidDelay = (text: string): string => `--delay: expected milliseconds, at least and at most, such as 50-300, got "${text}".`
export const invalidRate = (name: string, text: string): string =>
  `${name}: expected a part of all requests from 0 to 1 such as 0.05, got "${text}".`

// check
export const invalidWholeNumber = (name: string, value: string): string => `${name}: expected a whole number such as 1000, got "${value}".`
export const unknownRule = (name: string, names: readonly string[]): string =>
  `There is no predicate ${name}. There are ${names.join(', ')}.`
export const violationCount = (count: number): string => (count === 1 ? 'One predicate does not hold.' : `${count} predicates do not hold.`)

// diff
export const notAManifest = (file: string): string =>
  `${file} is no manifest of the version 1. Make one: lapidary manifest ./src/api.ts --out ${file}.`
export const unknownAllowedChange = (word: string): string => `--allow "${word}" means no change: leave it out.`
export const breakingChangeCount = (count: number, isStrict: boolean): string => {
  const what = isStrict ? 'breaks clients or may do so' : 'breaks clients'
  return count === 1
    ? `One change ${what}. Where it is meant, say so: --allow.`
    : `${count} changes ${isStrict ? 'break clients or may do so' : 'break clients'}. Where they are meant, say so: --allow.`
}
export const diffHelp = (): string =>
  [
    'Clients are programs of the old description that call a new server; servers are old ones that programs of the new description call.',
    'The exit code is 1 where clients break.',
    '  lapidary manifest ./src/api.ts --out api.json',
    '  lapidary diff api.json ./src/api.ts',
    '  lapidary diff api.json ./src/api.ts --allow "users.list query sort"',
  ].join('\n')
export const comparisonTimeout = (seconds: number): string =>
  `Comparing took longer than ${seconds} s, and was ended: one of the two has schemas that take too long to hold against each other.`
export const manifestTooLarge = (file: string, megabytes: number): string =>
  `${file} has more than ${megabytes} MB, which no manifest needs.`
