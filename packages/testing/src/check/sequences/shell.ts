/** Parts of scripts for a POSIX shell: words with variables, and the functions that read a response. */
import { escapeControls } from '../../terminal.ts'
import { quoteForShell } from '../shellBytes.ts'

/** A word of a shell, in parts: texts that are quoted, and variables. */
export type Word = readonly (string | { readonly variable: string })[]

/**
 * Names the variable of the environment that has the value of a secret header. A header of a description may be named PATH, or as another
 * secret is: without the word before it, the script would send this one.
 */
export const getSecretVariable = (name: string): string => `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** Formats a comment. A line break in a text would end it, and what follows would be a command. */
export const formatComment = (text: string): string => `# ${escapeControls(text.replace(/[\s\p{Cc}]+/gu, ' '))}`

/** Formats the lines that set the base URL. Without its quotes, a shell would expand a path such as `/$(id)`. */
export const formatBase = (base: URL): readonly string[] => [
  `default=${quoteForShell(base.href.replace(/\/+$/, ''))}`,
  `base=\${1:-$default}`,
]

/** Formats the name of a method as a word. */
export const formatMethod = (method: string): string => (/^[A-Z]+$/.test(method) ? method : quoteForShell(method))

/** Compacts JSON as the function `body` of a script does. */
export const compact = (value: unknown): string => JSON.stringify(value).replaceAll(' ', '')

/** Formats the start of a member, as it is in the body that the function `body` prints. */
export const formatMemberStart = (name: string): string => quoteForShell(`${compact(name)}:`)

/** Formats a word. */
export const formatWord = (word: Word): string =>
  word.map((part) => (typeof part === 'string' ? (part === '' ? '' : quoteForShell(part)) : `"$${part.variable}"`)).join('') || "''"

/** Replaces a text in a word by a variable, where it stands between texts that match. */
export function substitute(
  word: Word,
  text: string,
  variable: string,
  { before, after }: { readonly before: RegExp; readonly after: RegExp },
): Word {
  if (text === '') return word
  return word.flatMap((part): Word => {
    if (typeof part !== 'string') return [part]
    const parts: (string | { readonly variable: string })[] = []
    let from = 0
    for (let at = part.indexOf(text); at >= 0; at = part.indexOf(text, at + text.length)) {
      const end = at + text.length
      if (!before.test(part.slice(0, at)) || !after.test(part.slice(end))) continue
      parts.push(part.slice(from, at), { variable })
      from = end
    }
    return [...parts, part.slice(from)]
  })
}

/** The functions of a script, and the functions that each of them needs. */
const shellFunctions: Readonly<Record<string, { readonly text: string; readonly needs: readonly string[] }>> = {
  send: {
    needs: [],
    text: `# Sends a request, and shows it with its response.
send() {
  method=$1 target=$2
  shift 2
  printf '\\n> %s %s\\n' "$method" "$target"
  response=$(curl -sS -i -g --path-as-is -X "$method" "$@" "$base$target" | tr -d '\\r')
  printf '%s\\n' "$response"
  status=$(printf '%s\\n' "$response" | sed -n '1s/^[^ ]* \\([0-9]*\\).*/\\1/p')
}`,
  },
  header: {
    needs: [],
    text: `# Prints a header of the last response, by its name in lower case.
header() {
  printf '%s\\n' "$response" | awk -v name="$1" '/^$/ { exit } tolower(substr($0, 1, index($0, ":") - 1)) == name { sub(/^[^:]*: */, ""); print }'
}`,
  },
  body: {
    needs: [],
    text: `# Prints the body of the last response without white space.
body() {
  printf '%s\\n' "$response" | sed '1,/^$/d' | tr -d ' \\n'
}`,
  },
  member: {
    needs: ['body'],
    text: `# Prints the value of a member of the last response, by the start of the member: its name in quotes, and a colon.
member() {
  body | start=$1 awk '{
    at = index($0, ENVIRON["start"])
    if (at == 0) exit
    value = substr($0, at + length(ENVIRON["start"]))
    if (match(value, /^"([^"\\\\]|\\\\.)*"/)) value = substr(value, 2, RLENGTH - 2)
    else sub(/[],}].*/, "", value)
    print value
  }'
}`,
  },
  entry: {
    needs: ['body'],
    text: `# Prints the entry of a list whose member has a value, by the start of the member.
entry() {
  body | tr '{' '\\n' | grep -F -e "$1$2," -e "$1$2}" -e "$1\\"$2\\"," -e "$1\\"$2\\"}"
}`,
  },
  expect: {
    needs: [],
    text: `# Ends the script if a request before the last one has another status.
expect() {
  [ "$status" = "$1" ] || { echo "expected $1, got $status: the fault cannot be tested" >&2; exit 125; }
}`,
  },
}

/** Lists the functions that the lines of a script call. */
export function formatFunctions(lines: readonly string[]): readonly string[] {
  const isCalled = (name: string): boolean => lines.some((line) => line.startsWith(`${name} `) || line.includes(`$(${name}`))
  const called = Object.keys(shellFunctions).filter(isCalled)
  const needed = new Set(called.flatMap((name) => [...(shellFunctions[name]?.needs ?? []), name]))
  return Object.entries(shellFunctions).flatMap(([name, { text }]) => (needed.has(name) ? [text] : []))
}
