/** The paths of a document as routes: `/users/{id}` is `/users/:id`. */
import type { DocumentReader } from './document.ts'

/** A route, and the names of its captures by those in the document. */
export interface PathPlan {
  readonly path: string
  readonly captures: ReadonlyMap<string, string>
}

/** What no literal of a route can have. */
const foreignSyntax = /[/*{}<>[\]|\\^"`:?#\s]|^\.\.?$/

/** A name that a capture can have. */
function toCaptureName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replaceAll(/[^\w]+(\w?)/g, (_, next: string) => next.toUpperCase())
  const start = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
  let free = start
  for (let number = 2; taken.has(free); number += 1) free = `${start}${number}`
  return free
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Plans a path; undefined for one that no route can be. */
export function planPath(path: string, pointer: string, reader: DocumentReader): PathPlan | undefined {
  const leaveOut = (reason: string): undefined => {
    reader.limits.add('path', pointer, `${reason} The operations of this path are left out.`)
  }
  if (!path.startsWith('/')) return leaveOut('A path begins with a slash.')
  const [plain = '', query] = path.split(/[?#]/, 2)
  if (query !== undefined) return leaveOut('A path has no query and no fragment.')
  const captures = new Map<string, string>()
  const segments: string[] = []
  for (const segment of plain.replace(/\/$/, '').split('/').slice(1)) {
    const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? []
    if (name !== undefined) {
      if (captures.has(name)) return leaveOut(`The parameter "${name}" stands in it twice.`)
      const capture = toCaptureName(name, new Set(captures.values()))
      if (capture !== name)
        reader.limits.add('parameter-name', pointer, `The name "${name}" of a segment is written "${capture}". It is on no wire.`)
      captures.set(name, capture)
      segments.push(`:${capture}`)
      continue
    }
    if (segment === '') return leaveOut('It has an empty segment.')
    const literal = decode(segment)
    if (foreignSyntax.test(literal) || literal.includes('%'))
      return leaveOut(`A parameter is a whole segment, and "${segment}" has more, or a character that no route has.`)
    segments.push(literal)
  }
  const end = segments.length > 0 && plain.endsWith('/') ? '/' : ''
  return { path: `/${segments.join('/')}${end}`, captures }
}
