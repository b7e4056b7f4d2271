/** Texts as parts of a Markdown document (CommonMark 0.31). No text changes the structure around it. */

/**
 * The first group stays unchanged: a backslash escape, a code span on one line, an autolink. Any other match is escaped: a backtick, which
 * would start a code span, and the start of an HTML tag or comment.
 */
const markdownSpecials = /(\\[^\n]|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)|<https?:\/\/[^\s<>`]+>)|`|<(?=[A-Za-z/!?])/g

const escapeMarkdown = (text: string): string => text.replace(markdownSpecials, (found, kept: string | undefined) => kept ?? `\\${found}`)

/** A text on one line, for a heading or an item of a list. */
export const formatInline = (text: string): string => escapeMarkdown(text.replace(/\s+/g, ' ').trim())

/** A text on one line, each character of which a reader sees: a pattern has backslashes and stars of its own. */
export const formatPlain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<&~]/g, '\\$&')

/**
 * The start of another block at the beginning of a line, even in an item of a list: a heading of either form, a fence of tildes, a
 * quotation, a link reference definition, whose label has at most 999 characters. Lists stay, since a paragraph can contain some.
 */
const blockStartPattern =
  /^((?:[^\S\n]|(?:[-+*]|\d{1,9}[.)])(?=[^\S\n]))*)(#|~{3}|>|=+(?=[^\S\n]*$)|-+(?=[^\S\n]*$)|\[(?=(?:[^\]\\]|\\[\s\S]){0,999}\]:))/gm

/** A text as paragraphs. Emphasis, code, links and lists in it stay. */
export const formatParagraph = (text: string): string =>
  escapeMarkdown(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').trim()).replace(blockStartPattern, '$1\\$2')

/** A heading. Number signs at the end of the title would close it. */
export const formatHeading = (level: number, title: string): string =>
  `${'#'.repeat(level)} ${formatInline(title).replace(/#(?=#*$)/, '\\#')}`

const getLongestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))

/** A code span, with more backticks around it than inside. */
export function formatCode(text: string): string {
  const ticks = '`'.repeat(getLongestRun(text) + 1)
  const line = text.replace(/\s+/g, ' ')
  // CommonMark removes one space on each side, so a span can begin or end with a backtick or a space.
  return /^[` ]|[` ]$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`
}

/** A fenced block, with a longer fence than any inside. A final line feed ends the last line. */
export function formatFence(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, getLongestRun(text) + 1))
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  return `${fence}${language.replace(/[^\w+.-]/g, '')}\n${lines}\n${fence}`
}

/** An item of a list; its further lines are indented. */
export const formatBullet = (text: string): string => `- ${text.replace(/\n(?=.)/g, '\n  ')}`

/** Blocks, separated by blank lines. Empty ones are left out. */
export const joinBlocks = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

/** A sentence of its own. */
export const endWithPeriod = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
