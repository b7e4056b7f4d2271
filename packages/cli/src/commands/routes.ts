/** `lapidary routes ./src/api.ts`: lists the endpoints, mounts and webhooks of an API. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { operations } from 'lapidary'
import { listWebhooks } from 'lapidary/internal'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, createApiCommand } from '../command.ts'
import { type CliContext, CliError, writeResult } from '../context.ts'
import { loadDescription } from '../description.ts'
import { toEndpointName } from '../endpointNames.ts'
import { printLightRoutes, type RouteSelection } from '../lightRoutes.ts'
import {
  type AuthSummary,
  type ParameterSummary,
  type ReplySummary,
  type RouteSummary,
  summarizeRoute,
  summarizeWebhook,
} from '../routeSummary.ts'

/** A space at which no line is wrapped. */
const noBreakSpace = '\u00a0'
const keepTogether = (text: string): string => text.replaceAll(' ', noBreakSpace)

const formatParameter = ({ name, type, required }: ParameterSummary): string => keepTogether(`${name}${required ? '' : '?'} (${type})`)
const formatReply = ({ status, range, body }: ReplySummary): string => keepTogether(`${range ?? status} ${body.join('|')}`.trim())

const formatPart = (title: string, items: readonly string[], separator = ', '): readonly string[] =>
  items.length === 0 ? [] : [`${title}${noBreakSpace}${items.join(separator)}`]

/** Formats a limit: `timeout: 1,000 ms`. */
const formatLimit = (title: string, limit: number | undefined, unit: string): readonly string[] =>
  limit === undefined ? [] : [keepTogether(`${title} ${limit.toLocaleString('en-US')} ${unit}`)]

/** Formats a rate limit: `100 in 60 s`. */
const formatPolicy = ({ quota, window }: NonNullable<RouteSummary['rateLimit']>[number]): string =>
  keepTogether(`${quota.toLocaleString('en-US')} in ${window.toLocaleString('en-US')} s`)

/** Formats whether a route is deprecated, the parameters, the body, the limits and the responses of a route. */
const formatDetails = (route: RouteSummary): string => {
  const { deprecated, captures, query, headers, cookies, body, bodyOptional, maxBodySize, timeout, rateLimit = [], responses } = route
  return [
    ...(deprecated ? ['deprecated'] : []),
    ...formatPart('path:', captures.map(formatParameter)),
    ...formatPart('query:', query.map(formatParameter)),
    ...formatPart('headers:', headers.map(formatParameter)),
    ...formatPart('cookies:', cookies.map(formatParameter)),
    ...formatPart(bodyOptional ? 'body?:' : 'body:', body, '|'),
    ...formatLimit('maxBodySize:', maxBodySize, 'bytes'),
    ...formatLimit('timeout:', timeout, 'ms'),
    ...formatPart('limit:', rateLimit.map(formatPolicy)),
    ...formatPart('→', responses.map(formatReply)),
  ].join('  ')
}

const formatScheme = ({ name, scheme, scopes }: AuthSummary): string => `${scheme} (${[name, ...scopes].join(' ')})`
/** `Basic (staff)`, `ApiKey (session) | Bearer (market stones:write) | none`. */
const formatAuth = ({ auth }: RouteSummary): string =>
  (auth ?? []).map((all) => (all.length === 0 ? 'none' : all.map(formatScheme).join(' + '))).join(' | ')
const formatMethod = ({ method }: RouteSummary): string => method ?? 'ANY'
const formatPath = ({ method, path }: RouteSummary): string => (method === null ? `${path.replace(/\/$/, '')}/…` : path)

/** Formats a route as one line, which does not depend on other routes: `GET /users  users.list  query: sortby? (age|name)  → 200 JSON`. */
const formatRouteLine = (route: RouteSummary): string =>
  [
    `${formatMethod(route)} ${formatPath(route)}`,
    route.name,
    ...formatPart('auth:', route.auth === null ? [] : [formatAuth(route)]),
    formatDetails(route),
  ]
    .filter((part) => part !== '')
    .join('  ')
    .replaceAll(noBreakSpace, ' ')

/** Wraps words in lines of a width. A longer word has a line of its own. Of several spaces, a line is wrapped at the last. */
function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/ (?! )/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => line.trimEnd())
}

/** A narrower column is not readable. */
const minColumnWidth = 24

/** Formats the last cell of a row beside the others, or on lines of its own if too little width is left. */
function formatLastCell(firstCells: string, text: string, width: number): string {
  const isBeside = width - firstCells.length >= minColumnWidth
  const indent = isBeside ? firstCells.length : 4
  const lines = wrapText(text, Math.max(width - indent, 1)).map((line, index) =>
    isBeside && index === 0 ? line : ' '.repeat(indent) + line,
  )
  return (isBeside ? firstCells + lines.join('\n') : [firstCells.trimEnd(), ...lines].join('\n')).replaceAll(noBreakSpace, ' ')
}

/** Formats routes as lines, or as columns of a terminal with a width. */
function formatTable(routes: readonly RouteSummary[], width?: number): string {
  if (width === undefined) return routes.map((route) => `${formatRouteLine(route)}\n`).join('')
  const rows = routes.map((route) => [formatMethod(route), formatPath(route), route.name, formatAuth(route)])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const padCell = (text: string, column: number): string => text.padEnd((widths[column] ?? 0) + (widths[column] === 0 ? 0 : 2))
  return routes
    .map((route, index) => `${formatLastCell((rows[index] ?? []).map(padCell).join(''), formatDetails(route), width).trimEnd()}\n`)
    .join('')
}

interface RoutesOptions extends ApiOptions, RouteSelection {
  readonly json?: true
  readonly client?: true
  readonly out?: string
  readonly check?: true
}

const collectNames = (text: string, names: readonly string[] = []): readonly string[] => [...names, ...text.split(',')]

/** @throws CliError where a file does not have this text */
async function checkFile(text: string, module: string, options: RoutesOptions, { cwd }: CliContext): Promise<void> {
  const { out = '', only = [], except = [] } = options
  const written = await readFile(resolve(cwd, out), 'utf8').catch(() => undefined)
  if (written?.replaceAll('\r\n', '\n') === text) return
  const flags = [
    ...(options.export === undefined ? [] : [`--export ${options.export}`]),
    ...(only.length > 0 ? [`--only ${only.join(',')}`] : []),
    ...(except.length > 0 ? [`--except ${except.join(',')}`] : []),
  ]
  throw new CliError(1, messages.staleRoutes(out, ['lapidary routes', module, '--client', ...flags, `--out ${out}`].join(' ')))
}

/** Adds the command. */
export function addRoutesCommand(program: Command, context: CliContext): void {
  const { output } = context
  createApiCommand(program, 'routes', 'Lists every endpoint: its method, path, name and auth, its parameters and its responses.')
    .option('--json', 'as JSON, for programs')
    .option('--client', 'as the module of routes that the light client takes')
    .option('--only <names>', 'with --client: the endpoints and groups to write, separated by commas; may be repeated', collectNames)
    .option('--except <names>', 'with --client: the endpoints and groups to leave out', collectNames)
    .option('--out <file>', 'with --client: the file to write (default: standard output)')
    .option('--check', 'with --client and --out: writes nothing, and fails if the file is not up to date')
    .action(async (module: string, options: RoutesOptions) => {
      const clientFlag = (['only', 'except', 'out', 'check'] as const).find((name) => options[name] !== undefined)
      if (clientFlag !== undefined && !options.client) throw new CliError(2, messages.flagWithoutClient(`--${clientFlag}`))
      if (options.check && options.out === undefined) throw new CliError(2, messages.checkWithoutFile())
      const description = await loadDescription(module, options.export, context)
      const { api } = description
      if (options.client) {
        const select = (words?: readonly string[]): readonly string[] | undefined => words?.map((word) => toEndpointName(word, description))
        const [only, except] = [select(options.only), select(options.except)]
        const routes = printLightRoutes(api, { ...(only && { only }), ...(except && { except }) })
        if (options.check) return checkFile(routes, module, options, context)
        return writeResult(routes, options.out, context)
      }
      const routes = [...operations(api).map(summarizeRoute), ...listWebhooks(api).map(summarizeWebhook)]
      const text = options.json ? `${JSON.stringify(routes, null, 2)}\n` : formatTable(routes, output.isTTY ? output.columns : undefined)
      await writeResult(text, undefined, context)
    })
}
