/** A shell script that repeats the requests of a sequence: with variables for what the server chooses, and an exit code for the result. */
import { decodeUtf8 } from 'lapidary/internal'
import type { HeaderLine, WireResponse } from '../exchange.ts'
import { quoteForShell } from '../shellBytes.ts'
import type { Expectation } from './finding.ts'
import type { PlayedItem, PlayedRequest } from './playedItem.ts'
import {
  compact,
  formatBase,
  formatComment,
  formatFunctions,
  formatMemberStart,
  formatMethod,
  formatWord,
  getSecretVariable,
  substitute,
  type Word,
} from './shell.ts'

/** What a script repeats. */
interface ScriptOptions {
  readonly base: URL
  readonly requests: readonly PlayedRequest[]
  readonly items: ReadonlyMap<number, PlayedItem>
  readonly rule: string
  readonly message: string
  readonly expectation: Expectation | undefined
  readonly redact: (text: string) => string
}

/** A line of a script. One that sets a variable is left out if no other line has the variable. */
interface ScriptLine {
  readonly text: string
  readonly variable?: string
}

type Items = ReadonlyMap<number, PlayedItem>

const escapeForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Names the variable of an item: by its number among those of the script. */
const getItemVariable = (number: number, items: Items): string =>
  number < 0 ? 'parent' : `item${[...items.keys()].filter((one) => one >= 0 && one <= number).length}`

const matchText = (subject: string, patterns: readonly string[], isMatch: boolean): string =>
  `case "${subject}" in ${patterns.join(' | ')}) ${isMatch} ;; *) ${!isMatch} ;; esac`

/** The test of the last response: a command of a shell that succeeds if the fault is gone. */
function formatTest(expectation: Expectation, items: Items, etags: ReadonlyMap<string, string>): string | undefined {
  const operator = (isEqual: boolean): string => (isEqual ? '=' : '!=')
  switch (expectation.kind) {
    case 'status':
      return matchText('$status', expectation.statuses.map(String), expectation.isAllowed)
    case 'member': {
      const { name, value, isEqual, entry } = expectation
      const item = entry === undefined ? undefined : items.get(entry)
      const source =
        entry === undefined || item === undefined
          ? '$(body)'
          : `$(entry ${formatMemberStart(item.family.identifier)} "$${getItemVariable(entry, items)}")`
      const start = formatMemberStart(name)
      if (value === undefined) return matchText(source, [`*${start}*`], !isEqual)
      return matchText(source, [`*${start}${quoteForShell(compact(value))}[,}]*`], isEqual)
    }
    case 'entry': {
      const item = items.get(expectation.item)
      if (item === undefined) return undefined
      const entry = `$(entry ${formatMemberStart(item.family.identifier)} "$${getItemVariable(expectation.item, items)}")`
      return `[ ${expectation.count === 1 ? '-n' : '-z'} "${entry}" ]`
    }
    case 'identifier':
      return `[ "$created" ${operator(expectation.isEqual)} "$${getItemVariable(expectation.item, items)}" ]`
    case 'header': {
      const variable = etags.get(expectation.value)
      return variable === undefined ? undefined : `[ "$(header etag)" ${operator(expectation.isEqual)} "$${variable}" ]`
    }
  }
}

/** Writes the requests, and collects the variables on the way. */
class ScriptWriter {
  readonly lines: ScriptLine[] = []
  readonly etags = new Map<string, string>()
  readonly secrets = new Set<string>()
  readonly #ids: { readonly text: string; readonly variable: string; readonly member: string }[] = []
  readonly #items: Items
  readonly #redact: ScriptOptions['redact']

  constructor(items: Items, redact: ScriptOptions['redact']) {
    this.#items = items
    this.#redact = redact
  }

  /** Formats the path of a request. An identifier is a segment of it. */
  #formatTarget(target: string): string {
    const latest = this.#ids.toReversed()
    const replaceId = (word: Word, { text, variable }: (typeof latest)[number]): Word =>
      substitute(word, encodeURIComponent(text), variable, { before: /\/$/, after: /^(?:[/?]|$)/ })
    return formatWord(latest.reduce(replaceId, [this.#redact(target)]))
  }

  /** Formats the body of a request. An identifier is the value of its member. */
  #formatBody(body: Uint8Array): string {
    const latest = this.#ids.toReversed()
    const replaceId = (word: Word, { text, variable, member }: (typeof latest)[number]): Word =>
      substitute(word, JSON.stringify(text).slice(1, -1), variable, {
        before: new RegExp(`${escapeForRegExp(JSON.stringify(member))}:"?$`),
        after: /^"?[,}]/,
      })
    return formatWord(latest.reduce(replaceId, [this.#redact(decodeUtf8(body) ?? '')]))
  }

  #formatHeader([name, value]: HeaderLine, item: number | undefined): string {
    // A key is new for each run of the script.
    if (/^idempotency-key$/i.test(name)) return `-H "${name}: \\"$$-${getItemVariable(item ?? 0, this.#items)}\\""`
    const isSecret = this.#redact(value) !== value
    if (isSecret) this.secrets.add(getSecretVariable(name))
    const variable = isSecret ? getSecretVariable(name) : this.etags.get(value)
    return `-H ${formatWord(variable === undefined ? [`${name}: ${value}`] : [`${name}: `, { variable }])}`
  }

  writeRequest({ sent: { request }, item }: PlayedRequest): void {
    const { method, target, headers, body } = request
    const data = body === undefined ? [] : [`--data-raw ${this.#formatBody(body)}`]
    const words = [formatMethod(method), this.#formatTarget(target), ...headers.map((line) => this.#formatHeader(line, item)), ...data]
    this.lines.push({ text: '' }, { text: `send ${words.join(' ')}` })
  }

  /** Reads what later requests need from a response. */
  readResponse({ item: number, isCreation, sent: { request, response } }: PlayedRequest, isLast: boolean): void {
    if (!isLast) this.lines.push({ text: `expect ${response.status}` })
    const item = number === undefined ? undefined : this.#items.get(number)
    if (number !== undefined && item !== undefined && request.method === 'POST')
      this.#readIdentifier(response, number, item, isCreation && !isLast)
    const etag = response.header('etag')
    if (etag === undefined || this.etags.has(etag) || isLast) return
    const variable = `etag${this.etags.size + 1}`
    this.etags.set(etag, variable)
    this.lines.push({ text: `${variable}=$(header etag)`, variable })
  }

  #readIdentifier(response: WireResponse, number: number, { family, texts }: PlayedItem, isNew: boolean): void {
    const variable = isNew ? getItemVariable(number, this.#items) : 'created'
    const isLocated = response.header('location') !== undefined
    this.lines.push({
      text: `${variable}=${isLocated ? '$(header location)' : `$(member ${formatMemberStart(family.identifier)})`}`,
      variable,
    })
    if (isLocated) this.lines.push({ text: `${variable}=\${${variable}##*/}`, variable })
    if (isNew) this.#ids.push({ text: texts.at(-1) ?? '', variable, member: family.identifier })
  }
}

/** Writes the script. */
export function formatScript({ base, requests, items, rule, message, expectation, redact }: ScriptOptions): string {
  const writer = new ScriptWriter(items, redact)
  requests.forEach((played, index) => {
    writer.writeRequest(played)
    writer.readResponse(played, index === requests.length - 1)
  })
  const test = expectation === undefined ? undefined : formatTest(expectation, items, writer.etags)
  const ending =
    test === undefined ? [] : [`if ${test}; then`, "  echo 'The fault is gone.'", 'else', "  echo 'The fault is there.'", '  exit 1', 'fi']
  const isUsed = ({ variable, text }: ScriptLine): boolean =>
    variable === undefined ||
    [...writer.lines.filter((other) => other.variable !== variable).map((other) => other.text), ...ending].some((other) =>
      other.includes(`$${variable}`),
    ) ||
    text === ''
  const lines = writer.lines.filter(isUsed).map(({ text }) => text)
  return [
    '#!/bin/sh',
    formatComment(`${rule}: ${redact(message)}`),
    test === undefined
      ? '# It shows the responses.'
      : '# Exit code: 1 with the fault, 0 without it, 125 if it cannot be tested, as for: git bisect run sh repro.sh',
    'set -u',
    ...formatBase(base),
    ...[...writer.secrets].map((name) => `: "\${${name}:?Set it to the value of the header.}"`),
    '',
    ...formatFunctions([...lines, ...ending]),
    ...lines,
    '',
    ...ending,
    '',
  ].join('\n')
}
