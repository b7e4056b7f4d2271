// Finds imprecise words in sources: in identifiers, and in comments. String literals and regular expressions may have any word.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listWorkspaceFolders } from './workspaces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The words that no part of an identifier may be. A program sends requests and responses, and writes output. */
const inIdentifiers =
  /^(?:ask(?:s|ed|ing|er)?|answer(?:s|ed|ing)?|told|heard|said|complaints?|carried|workshops?|contestants?|circumstances?)$/

/** The words that no comment may have. Plain English has the words `ask` and `answer`, so that a comment may have them. */
const inComments =
  /\b(?:whoever|nobody|somebody|anybody|whom|whatever|told|heard|said|complaints?|carried|workshops?|contestants?|circumstances?)\b/gi

/** What can stand before a regular expression; behind anything else, a slash divides. */
const beforePattern = /(?:^|[=(,:;!&|?{}[+~<>-]|\b(?:return|typeof|case|in|of|yield|await))\s*$/
const token =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?<pattern>\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|[\s\S]/uy

/**
 * Splits a source into its comments and its identifiers.
 * @param {string} source  JavaScript or TypeScript
 * @returns {{ comments: readonly string[], identifiers: readonly string[] }}
 */
export function scanSource(source) {
  const comments = []
  const identifiers = []
  /** For each template literal around this place: how many braces are open in its expression; -1 in its text. */
  const templates = []
  let code = ''
  for (let at = 0; at < source.length; ) {
    const sign = source[at]
    if (templates.at(-1) === -1) {
      if (sign === '`') templates.pop()
      if (sign === '$' && source[at + 1] === '{') templates[templates.length - 1] = 0
      at += sign === '\\' || (sign === '$' && source[at + 1] === '{') ? 2 : 1
      code = ')'
      continue
    }
    token.lastIndex = at
    const { 0: whole, groups: { comment, pattern, name } = {} } = token.exec(source) ?? { 0: sign }
    if (pattern !== undefined && !beforePattern.test(code)) {
      code = '/'
      at += 1
      continue
    }
    at += whole.length
    if (comment !== undefined) {
      comments.push(comment)
      continue
    }
    if (name !== undefined) identifiers.push(name)
    if (whole === '`') templates.push(-1)
    if (templates.length > 0 && whole === '{') templates[templates.length - 1] += 1
    if (templates.length > 0 && whole === '}') templates[templates.length - 1] -= 1
    code = whole.trim() === '' ? code : whole
  }
  return { comments, identifiers }
}

/** The parts of an identifier in lower case: `isAnswered` has `is` and `answered`. @param {string} name */
const splitName = (name) => name.split(/[_$\d]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).map((part) => part.toLowerCase())

/**
 * Lists the imprecise words of a source, each as often as it occurs.
 * @param {string} source  JavaScript or TypeScript
 * @returns {{ identifiers: readonly string[], comments: readonly string[] }} the identifiers that have such a word, and the words of comments
 */
export function findImpreciseWords(source) {
  const { comments, identifiers } = scanSource(source)
  return {
    identifiers: identifiers.filter((name) => splitName(name).some((part) => inIdentifiers.test(part))),
    comments: comments.flatMap((comment) => comment.match(inComments) ?? []),
  }
}

/** Programs in the style of other frameworks, and what is installed. */
const excluded = /(?:^|[\\/])node_modules[\\/]|^bench[\\/](?:servers|types|results)[\\/]/

/**
 * Lists the checked files: sources and tests of the packages and the service, benchmarks, conformance checks, examples and scripts with their tests.
 * @returns {readonly { folder: string, path: string }[]} both from the root of the repository
 */
export function listCheckedFiles() {
  const ofPackages = listWorkspaceFolders().flatMap((folder) => [`${folder}/src`, `${folder}/test`])
  const folders = [...ofPackages, 'bench', 'conformance', 'examples', 'scripts']
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => ({ folder, path: join(folder, name) }))
      .filter(({ path }) => /\.(?:mjs|mts|ts)$/.test(path) && !excluded.test(path)),
  )
}
