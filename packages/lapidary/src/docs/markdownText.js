/** Texts as parts of a Markdown document (CommonMark 0.31), such that no text changes the structure around it. */
/**
 * Kept as they are: a backslash escape, a code span on one line, an autolink.
 * Else: a backtick, which would look for its like further on, and the start of an HTML tag or comment.
 */
const markdownSpecials = /(\\[^\n]|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)|<https?:\/\/[^\s<>`]+>)|`|<(?=[A-Za-z/!?])/g
const escapeMarkdown = (text) => text.replace(markdownSpecials, (found, kept) => kept ?? `\\${found}`)
/** Text on one line, for a heading or behind the marker of a list item. */
export const formatInline = (text) => escapeMarkdown(text.replace(/\s+/g, ' ').trim())
/**
 * What would start another block at the beginning of a line, even within items of a list: a heading of either form, a fence of tildes,
 * a quotation, the definition of a link. Lists are left alone, so that paragraphs may have some.
 */
const blockStartPattern = /^((?:[^\S\n]|(?:[-+*]|\d{1,9}[.)])(?=[^\S\n]))*)(#|~{3}|>|=+(?=[^\S\n]*$)|-+(?=[^\S\n]*$)|\[(?=[^\]]*\]:))/gm
/** Text of one or more lines, as paragraphs; emphasis, code, links and lists in it stay what they are. */
export const formatParagraph = (text) =>
  escapeMarkdown(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').trim()).replace(blockStartPattern, '$1\\$2')
/** The title of a section. Signs `#` at its end would be taken for the end of the heading. */
export const formatHeading = (level, title) => `${'#'.repeat(level)} ${formatInline(title).replace(/#(?=#*$)/, '\\#')}`
const getLongestRun = (text) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
/** A code span, with more backticks around it than there are in it. */
export function formatCode(text) {
  const ticks = '`'.repeat(getLongestRun(text) + 1)
  const line = text.replace(/\s+/g, ' ')
  // CommonMark takes one space off each side, so that a span may begin and end with a backtick or a space.
  return /^[` ]|[` ]$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`
}
/** A fenced block, with a longer fence than any within. A line feed at the end of the text is that of its last line. */
export function formatFence(text, language) {
  const fence = '`'.repeat(Math.max(3, getLongestRun(text) + 1))
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  return `${fence}${language.replace(/[^\w+.-]/g, '')}\n${lines}\n${fence}`
}
/** An item of a list, whose further lines and blocks belong to it. */
export const formatBullet = (text) => `- ${text.replace(/\n(?=.)/g, '\n  ')}`
/** Blocks, one after the other; what is empty is left out. */
export const joinBlocks = (...parts) => parts.filter((part) => part !== '').join('\n\n')
