/** The challenges of a `WWW-Authenticate` header (RFC 9110 §11.6.1). */

/** One challenge: its scheme in lower case, and its parameters by their names in lower case. */
export interface Challenge {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

/** An element of the list: a scheme, a parameter, or a scheme with its first parameter. */
const elementPattern = /^(?:([\w!#$%&'*+.^`|~-]+)(?:\s+|$))?(?:([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+)))?/

/** Parses the challenges of a header. What is no challenge is left out. */
export function parseChallenges(text: string): readonly Challenge[] {
  const challenges: { readonly scheme: string; readonly parameters: Map<string, string> }[] = []
  for (const element of text.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? []) {
    const [, scheme, name, quoted, bare = ''] = elementPattern.exec(element.trim()) ?? []
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() })
    if (name !== undefined) challenges.at(-1)?.parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare)
  }
  return challenges
}
