/** A shell script that sends the requests of several clients at the same time, as the failure of a round did. */
import { decodeUtf8 } from 'lapidary/internal'
import type { HeaderLine, WireRequest } from '../exchange.ts'
import type { SentRequest } from '../sequences/sendRequests.ts'
import {
  formatBase,
  formatComment,
  formatFunctions,
  formatMemberStart,
  formatMethod,
  formatWord,
  getSecretVariable,
  substitute,
} from '../sequences/shell.ts'
import { quoteForShell } from '../shellBytes.ts'

/** What a script repeats. */
interface ClientScriptOptions {
  readonly base: URL
  readonly rule: string
  readonly message: string
  readonly redact: (text: string) => string
  /** The request that creates the item, the GET after it, and the identifier in their path. */
  readonly created:
    | { readonly sent: SentRequest; readonly first: SentRequest; readonly id: string; readonly identifier: string }
    | undefined
  /** The requests of each client, in their order. */
  readonly clients: readonly (readonly SentRequest[])[]
  /** The requests after those of the clients. */
  readonly last: readonly SentRequest[]
}

const hasCondition = (etag: string | undefined, { request }: SentRequest): boolean =>
  request.headers.some(([name, value]) => /^if-match$/i.test(name) && value === etag)

/** Writes the script. */
export function formatClientScript({ base, rule, message, redact, created, clients, last }: ClientScriptOptions): string {
  const secrets = new Set<string>()
  const etag = created?.first.response.header('etag')
  const isTagged = clients.flat().some((sent) => hasCondition(etag, sent))
  // Of several changes with one ETag, one may succeed.
  const isTestable =
    clients.length > 1 && clients.every((requests) => requests.length === 1 && requests.every((sent) => hasCondition(etag, sent)))
  const formatHeader = ([name, value]: HeaderLine): string => {
    if (/^idempotency-key$/i.test(name)) return `-H "${name}: \\"$$\\""`
    // A client has read another ETag in its request before.
    if (/^if-match$/i.test(name)) return `-H ${quoteForShell(`${name}: `)}"${value === etag ? '$etag1' : '$(header etag)'}"`
    if (redact(value) === value) return `-H ${quoteForShell(`${name}: ${value}`)}`
    secrets.add(getSecretVariable(name))
    return `-H ${formatWord([`${name}: `, { variable: getSecretVariable(name) }])}`
  }
  const formatRequest = ({ method, target, headers, body }: WireRequest, hasItem: boolean): string => {
    const place = { before: /\/$/, after: /^(?:[/?]|$)/ }
    const path = [redact(target)]
    const word = hasItem && created !== undefined ? substitute(path, encodeURIComponent(created.id), 'item1', place) : path
    const data = body === undefined ? [] : [`--data-raw ${quoteForShell(redact(decodeUtf8(body) ?? ''))}`]
    return ['send', formatMethod(method), formatWord(word), ...headers.map(formatHeader), ...data].join(' ')
  }
  const isLocated = created?.sent.response.header('location') !== undefined
  const lines = [
    ...(created === undefined
      ? []
      : [
          formatRequest(created.sent.request, false),
          isLocated ? 'item1=$(header location)' : `item1=$(member ${formatMemberStart(created.identifier)})`,
          ...(isLocated ? [`item1=\${item1##*/}`] : []),
          ...(isTagged ? [formatRequest(created.first.request, true), 'etag1=$(header etag)'] : []),
          '',
        ]),
    ...clients.flatMap((requests, client) => [
      `# Client ${client + 1}`,
      '(',
      ...requests.map(({ request }) => `  ${formatRequest(request, true)}`),
      `) > client${client + 1}.txt &`,
    ]),
    'wait',
    `cat ${clients.map((_, client) => `client${client + 1}.txt`).join(' ')}`,
    ...last.map(({ request }) => formatRequest(request, true)),
    ...(isTestable
      ? [
          '',
          `if [ "$(cat client*.txt | grep -c '^HTTP/[0-9.]* 2')" -le 1 ]; then`,
          "  echo 'The fault is gone.'",
          'else',
          "  echo 'The fault is there.'",
          '  exit 1',
          'fi',
        ]
      : []),
  ]
  return [
    '#!/bin/sh',
    formatComment(`${rule}: ${redact(message)}`),
    `# ${isTestable ? 'Exit code: 1 with the fault, 0 without it.' : 'It shows the responses.'} The fault depends on the moment: run it several times.`,
    'set -u',
    ...formatBase(base),
    ...[...secrets].map((name) => `: "\${${name}:?Set it to the value of the header.}"`),
    'cd "$(mktemp -d)"',
    '',
    ...formatFunctions(lines.map((line) => line.trim())),
    '',
    ...lines,
    '',
  ].join('\n')
}
