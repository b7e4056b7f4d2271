/** Messages of the command line: what is wrong with the arguments, and which to pass instead. Import them as `messages`. */
import type { AnyAuthScheme } from 'lapidary'
import { findNearNames } from './names.ts'

const joinNames = (names: readonly string[], empty: string): string => (names.length === 0 ? empty : names.join(', '))

// Modules and their exports

export const missingModule = (module: string): string =>
  `There is no module at ${module}. Name the file that exports the API, such as ./src/api.ts.`
export const typescriptNotSupported = (module: string): string =>
  `${module} uses TypeScript syntax that this version of Node cannot run. Install tsx in the project (npm install --save-dev tsx), or name the compiled JavaScript.`
export const endedWithoutResult = (): string =>
  'The process ended before the command had a result: a module calls process.exit(), or waits for something that never happens.'
export const moduleNotLoaded = (module: string, reason: string): string => `${module} cannot be loaded: ${reason}`
export const missingApi = (module: string, exported: readonly string[]): string =>
  `${module} exports no API, which is a record of endpoints: export const api = { … }. It exports ${joinNames(exported, 'nothing')}.`
export const unknownApi = (module: string, name: string, apis: readonly string[]): string =>
  `${module} exports no API named "${name}". Its APIs: ${joinNames(apis, 'none')}.`
export const ambiguousApi = (module: string, apis: readonly string[]): string =>
  `${module} exports several APIs: ${apis.join(', ')}. Choose one: --export ${apis[0]}.`
export const missingTitle = (module: string): string =>
  `${module} is not in a package with a name. Give the document a title: --title "My API".`
export const linkAsOut = (file: string): string =>
  `${file} is a symbolic link, and is not written through. Name the file that it leads to, or remove it.`
export const fileNotWritten = (file: string, reason: string): string => `${file} cannot be written: ${reason}.`
export const fileNotRead = (file: string, reason: string): string => `${file} cannot be read: ${reason}.`

// OpenAPI documents

export const missingDocument = (name: string): string => `There is no file at ${name}. Name an OpenAPI document, such as openapi.yaml.`
export const documentNotRead = (name: string, reason: string): string => `${name} cannot be read: ${reason}`
export const exportOfDocument = (name: string): string => `--export names an export of a module, and ${name} is a document: leave it out.`
export const documentLimits = (name: string, count: number): string =>
  count === 1
    ? `One part of ${name} is not read in full: lapidary limits ${name} lists it.`
    : `${count} parts of ${name} are not read in full: lapidary limits ${name} lists them.`
export const noLimits = (name: string): string => `All of ${name} is read in full.`
export const limitsOfModule = (name: string): string => `${name} is a module, which has no limits. Name an OpenAPI document.`
export const missingUrl = (server: string | undefined): string =>
  server === undefined
    ? 'Name the server: --url http://127.0.0.1:8081.'
    : `Name the server: --url http://127.0.0.1:8081. The document names ${server}, which is not taken by itself, because a check sends thousands of requests.`
export const basePathAdded = (url: string): string =>
  `Requests go to ${url}, because the document names a server with this path. A URL that ends with a slash is taken as it is.`
export const leftOutRuleCount = (count: number): string =>
  `${count} rules that no OpenAPI document promises were left out: --all-rules tests them, too.`

// Flags of several commands

/** The number of names that a message lists. */
const maxListedNames = 5
const listNearNames = (name: string, names: readonly string[]): string => {
  const near = findNearNames(name, names, maxListedNames)
  return `${near.length === 0 ? '' : `The nearest: ${near.join(', ')}. `}The command "lapidary routes" lists all.`
}
export const unknownEndpoint = (name: string, names: readonly string[]): string =>
  `The API has no endpoint "${name}". ${listNearNames(name, names)}`
export const unknownEndpointOrGroup = (name: string, names: readonly string[]): string =>
  `The API has no endpoint and no group named "${name}". ${listNearNames(name, names)}`

export const urlWithoutScheme = (flag: string, url: string): string =>
  `${flag}: expected the URL of a server, such as http://127.0.0.1:8081, got "${url}".`
/** What to do about a server that is not reached. */
function formatReachCure(reason: string, flag: string): string {
  if (/certificate|self.signed|altname|issuer/i.test(reason))
    return `Name the file of its certificate authority in NODE_EXTRA_CA_CERTS, or a host that the certificate is for in ${flag}.`
  if (/EPROTO|wrong version number|packet length|SSL/i.test(reason))
    return `A server without TLS has a URL that begins with http:// (${flag}).`
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `No host has this name: correct ${flag}.`
  return `Start the server, or correct ${flag}.`
}
export const unreachableServer = (url: string, reason: string, flag: string): string =>
  `${url} cannot be reached: ${reason.trim().replace(/\.$/, '')}. ${formatReachCure(reason, flag)}`

export const invalidWholeNumber = (name: string, value: string): string => `${name}: expected an integer such as 1000, got "${value}".`
/** The line is not repeated, because it may contain a secret. */
export const invalidHeaderLine = (): string => '-H: expected a name, a colon and a value, such as -H "X-Api-Key: 42".'
export const conflictingCredentials = (): string => 'Use --user or --token, not both.'
export const missingSecret = (title: string, variable: string): string =>
  `The ${title} is missing. Add it to the flag, set ${variable}, or run the command on a terminal: the command then asks for it.`

/** @param value the value of `--format` */
export const unknownFormat = (value: string, formats: readonly string[]): string =>
  `--format: expected one of ${formats.join(', ')}, or one of them with a file, such as junit=report.xml, got "${value}".`
export const severalFormats = (formats: readonly string[]): string =>
  `--format: ${formats.join(' and ')} cannot both go to standard output. Name a file for all but one: --format ${formats[1]}=report.txt.`

// call

export const invalidCallOrder = (): string =>
  'Write the module first, then the endpoint, then its flags: lapidary call ./src/api.ts users.list --sortby age.'
export const callExamples = (): string =>
  [
    'lapidary call ./src/api.ts users.list --help',
    'lapidary call ./src/api.ts users.list --sortby age',
    "lapidary call ./src/api.ts GET '/users?sortby=age'",
    'lapidary call ./src/api.ts users.create --body @user.json',
    'lapidary call ./src/api.ts users.photo --id 7 --form photo=@ann.png',
  ]
    .map((line) => `  ${line}`)
    .join('\n')
export const unknownRoute = (method: string, path: string): string =>
  `No endpoint of the API matches ${method} ${path}. The command "lapidary routes" lists the endpoints.`
export const methodNotOffered = (method: string, path: string, methods: readonly string[]): string =>
  `${path} has no method ${method}. Its methods: ${methods.join(', ')}.`
export const unknownQueryParameter = (route: string, name: string, declared: readonly string[]): string =>
  `${route} has no query parameter "${name}". Its query parameters: ${joinNames(declared, 'none')}.`
export const valueWithoutFlag = (flag: string, text: string): string => `A value is written as a flag: --${flag} ${text}.`
export const unexpectedArgument = (route: string, word: string, flags: readonly string[]): string => {
  const cure =
    flags.length === 0 ? 'It has no flags of its own.' : `A value is written as a flag: ${flags.map((flag) => `--${flag}`).join(', ')}.`
  return `${route} takes no "${word}". ${cure}`
}
export const unexpectedBody = (route: string, flag: string): string => `${route} takes no body: leave out ${flag}.`
export const missingBody = (route: string): string => `${route} needs a body: --body TEXT, --body @FILE, or --body - for standard input.`
export const missingForm = (route: string): string =>
  `${route} takes a form with files: write each part as --form title=TEXT, or as --form photo=@FILE for a file.`
export const conflictingBodies = (): string => 'Use --body or --form, not both.'
export const invalidFormPart = (part: string): string =>
  `--form: expected a name and a value, such as --form title=Opal or --form photo=@photo.png, got "${part}".`
export const unknownFormPart = (route: string, name: string, parts: readonly string[]): string =>
  `${route} has no part "${name}". Its parts: ${joinNames(parts, 'none')}.`
export const expectedFilePart = (name: string, text: string): string => `The part "${name}" is a file: --form ${name}=@${text || 'FILE'}.`
export const bodyIsNoForm = (route: string): string => `${route} takes no form: write its body as --body TEXT, or --body @FILE.`
export const noResponse = (call: string, reason: string): string =>
  `${call} got no response: ${reason}. ${formatReachCure(reason, '--base or LAPIDARY_BASE')}`
export const responseCutOff = (call: string, reason: string): string => `${call} got a response that was cut off: ${reason}.`

// mock

export const portInUse = (host: string, port: number): string =>
  `Another program listens on ${host}:${port}. Stop it, or choose another port: --port 8082, or --port 0 for any free port.`
export const cannotListen = (host: string, port: number, reason: string): string => `The mock cannot listen on ${host}:${port}: ${reason}.`
export const invalidDelay = (text: string): string =>
  `--delay: expected the minimum and the maximum in milliseconds, such as 50-300, got "${text}".`
export const invalidRate = (name: string, text: string): string =>
  `${name}: expected a share of the requests from 0 to 1, such as 0.05, got "${text}".`

// check

export const stepsWithoutWrite = '--steps needs --write: its requests create, change and delete items.'
export const clientsWithoutSteps = '--clients needs --steps: several clients send the requests of sequences.'

export const unknownRule = (name: string, names: readonly string[]): string => `There is no rule "${name}". The rules: ${names.join(', ')}.`
export const invalidCapture = (pair: string): string => `--capture: expected a name and a text, such as --capture org=acme, got "${pair}".`
export const apiElsewhere = (url: string, server: string | undefined): string =>
  `Every endpoint of ${url} gets 404: the API is not at this path. Name the path in --url, such as ${new URL('/api/v1', url).href}${server === undefined ? '' : `; the document names ${server}`}.`
export const credentialsRefused = (url: string): string =>
  `${url} refuses these credentials: no request with them succeeded, and those that reached an endpoint got 401. Correct the key, the token, or the name and password, or try one request with: lapidary call.`
export const serverWentAway = (reason: string): string =>
  `The server went away during the check: ${reason}. The report has what was found before, and the last request that the server got.`
/** @param found `12 faults at 40 places` */
export const foundFaults = (found: string): string => `${found}.`
export const noScript = (file: string, count: number): string =>
  count === 0
    ? `${file} was not written: no rule failed.`
    : `${file} was not written: no sequence of requests failed, and a script repeats only those. The report has the curl command of each request.`
export const noScriptWithoutSteps = (file: string): string =>
  `${file} was not written: without --steps there are no sequences, which a script repeats. Add --write --steps 2000.`
export const incompleteCheck =
  'The check is not complete: its budget was used up, so it proves nothing about the rest. Raise --requests or --seconds.'
export const emptyCheck =
  'Nothing was tested: no rule of any endpoint. The report has the reasons. Add --write, or leave out less with --only, --except and --without.'
export function missingAuthScheme(flag: string, schemes: readonly AnyAuthScheme[]): string {
  const names = [...new Set(schemes.map(({ name }) => name))]
  const key =
    flag === '--api-key' ? undefined : schemes.find(({ openapi, example }) => openapi['type'] === 'apiKey' && typeof example === 'string')
  const cure =
    key === undefined ? 'Send them in a header: -H "Name: value".' : `Pass a key or a cookie with its name: --api-key ${key.name}=….`
  return `No auth scheme of this API takes the credentials of ${flag}${names.length === 0 ? '' : ` (its schemes: ${names.join(', ')})`}. ${cure}`
}

// diff

export const notAManifest = (file: string): string =>
  `${file} is not a manifest of version 1. Create one: lapidary manifest ./src/api.ts --out ${file}.`
export const manifestTooLarge = (file: string, megabytes: number): string =>
  `${file} is larger than ${megabytes} MB, the limit of a manifest.`
export const unknownAllowedChange = (word: string): string => `--allow "${word}" matches no change. Remove it.`
export const breakingChangeCount = (count: number, isStrict: boolean): string => {
  const [one, many] = isStrict
    ? ['breaks clients, or may break them', 'break clients, or may break them']
    : ['breaks clients', 'break clients']
  return count === 1 ? `One change ${one}. If it is intended, use --allow.` : `${count} changes ${many}. If they are intended, use --allow.`
}
export const missingNewVersion = (old: string): string =>
  `diff needs two versions: the second argument is missing. Name the new version (lapidary diff ${old} ./src/api.ts), or two commits (lapidary diff main..HEAD ${old}).`
export const flagWithoutReplay = (flag: string): string => `${flag} is about the requests of --replay: name the URL of a server by it.`
export const semverWithFormat = '--semver prints one word: leave out --format.'
export const gitNotFound = (range: string): string => `${range} is a range of commits, and the command git is not installed.`
export const notInRepository = (range: string): string =>
  `There is no file at ${range}, and it is no range of commits either: this folder is in no repository of git.`
export const unknownCommit = (name: string): string =>
  `git has no commit "${name}" here. Fetch it first: git fetch origin ${name}, or fetch-depth: 0 for actions/checkout.`
export const missingMergeBase = (old: string, now: string): string =>
  `${old} and ${now} have no commit in common here. Fetch the whole history first: git fetch --unshallow, or fetch-depth: 0 for actions/checkout.`
export const outsideOfRepository = (file: string): string => `${file} is outside of the repository, so no commit has it.`
export const missingInCommit = (commit: string, file: string | undefined, usualPaths: readonly string[]): string =>
  file === undefined
    ? `${commit} has no description at a usual path (${usualPaths.join(', ')}). Name the file: lapidary diff main..HEAD ./src/api.ts.`
    : `${commit} has no file ${file}.`
export const severalDescriptions = (commit: string, files: readonly string[]): string =>
  `${commit} has several descriptions: ${files.join(', ')}. Name one: lapidary diff main..HEAD ${files[0]}.`
export const newDescription = (commit: string, file: string): string => `${commit} has no file ${file} yet: all that it describes is new.`
export const movedDescription = (commit: string, old: string, file: string): string =>
  `${commit} has no file ${file}: ${old} is compared with it.`
export const inCommit = (commit: string, message: string): string => `At ${commit}: ${message}`
export const diffHelp = (): string =>
  [
    'The column "clients" is about programs with the old description that call a new server. The column "servers" is about programs with the new description that call an old server.',
    'The exit code is 1 if a change breaks clients, and 2 if something cannot be read.',
    '  lapidary diff main..HEAD ./src/api.ts',
    '  lapidary manifest ./src/api.ts --out api.json',
    '  lapidary diff api.json ./src/api.ts',
    '  lapidary diff api.json ./src/api.ts --allow "users.list query sort"',
  ].join('\n')

// routes --client

const wireAdvice =
  'The light client has no schema to do that. Describe the value as it is on the wire, or leave the endpoint out: --except.'
export const encodedSchema = (): string => 'schemaCodec() encodes and decodes its value'
export const decodedPart = (path: string): string => `its schema decodes ${path === '' ? 'the value' : `the member ${path}`}`
export const otherOutput = (): string => 'its schema makes a value of another form'
export const unknownOutput = (reason: string): string => `its schema does not say what it makes of a value (${reason.replace(/\.$/, '')})`
export const changedBody = (place: string, change: string): string => `${place}: ${change}. ${wireAdvice}`
export const encodedParameter = (place: string): string => `${place}: a schemaCodec() encodes its value. ${wireAdvice}`
export const customCodec = (place: string, name: string): string =>
  `${place}: the codec "${name}" has functions of its own. Use a codec of lapidary, whose values the light client can read and write, or leave the endpoint out: --except.`
export const customMediaType = (place: string, type: string): string =>
  `${place}: the media type ${type} has functions of its own, and the light client cannot have them. Add a media type of lapidary beside it, or leave the endpoint out: --except.`
export const staleRoutes = (file: string, command: string): string => `${file} is not up to date: run ${command}.`
export const checkWithoutFile = (): string => '--check compares a file: name it by --out src/api.routes.ts.'
export const flagWithoutClient = (flag: string): string => `${flag} needs --client.`

// migrate

export const missingContract = (module: string, exported: readonly string[]): string =>
  `${module} exports no contract of ts-rest, which is what initContract().router() returns. It exports ${joinNames(exported, 'nothing')}.`
export const unknownContract = (module: string, name: string, contracts: readonly string[]): string =>
  `${module} exports no contract named "${name}". Its contracts: ${joinNames(contracts, 'none')}.`
export const ambiguousContract = (module: string, contracts: readonly string[]): string =>
  `${module} exports several contracts: ${contracts.join(', ')}. Choose one: --export ${contracts[0]}.`
export const contractAsOut = (out: string): string =>
  `--out ${out} is the contract, which a schema of the new module may need. Name another file, such as --out api.ts.`
export const migrateHelp = (): string =>
  [
    'What the description cannot have is refused, with its place in the contract. A schema that cannot be written down stays in the contract, and a line on standard error says so.',
    '  lapidary migrate ts-rest ./src/contract.ts --out ./src/api.ts',
  ].join('\n')

// import

export const documentAsOut = (out: string): string => `--out ${out} is the document. Name another file, such as --out api.ts.`
export const limitOf = (pointer: string, message: string): string => `${pointer === '' ? 'The document' : pointer}: ${message}`
export const importHelp = (): string =>
  [
    'What the document says and the description does not is on standard error: its place, and what stands instead.',
    '  lapidary import openapi.yaml --out ./src/api.ts',
  ].join('\n')
