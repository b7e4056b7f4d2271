/** The paths of a document: `/users/{id}`, one for all that the router takes for the same, whatever their captures are called. */
import type { Segment } from '../describe/route.ts'

/** A path as OpenAPI writes it. */
export interface PathTemplate {
  readonly path: string
  /** What its captures are called there, in their order. */
  readonly captures: readonly string[]
}

const formatTemplate = (segments: readonly Segment[], captured: (name: string) => string): string =>
  `/${segments.map((segment) => ('capture' in segment ? `{${captured(segment.capture)}}` : encodeURI(segment.literal))).join('/')}`

/** Makes templates. Of two paths that differ only in the names of their captures, the first gives the names. */
export function createPathTemplates(): (segments: readonly Segment[]) => PathTemplate {
  const known = new Map<string, PathTemplate>()
  return (segments) => {
    const shape = formatTemplate(segments, () => '')
    const template = known.get(shape) ?? {
      path: formatTemplate(segments, (name) => name),
      captures: segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : [])),
    }
    known.set(shape, template)
    return template
  }
}
