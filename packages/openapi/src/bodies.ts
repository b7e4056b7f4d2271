/** Bodies of requests and responses: their media types, and the schema of their value. */
import type { JsonSchema } from 'lapidary'
import { isSameJson } from 'lapidary/internal'
import type { DocumentReader, Part } from './document.ts'
import { type MediaPlan, MediaReader, type ReadMedia } from './media.ts'
import type { Direction, DocumentSchemas } from './schemas.ts'

/** A body. */
export interface BodyPlan {
  /** The media types, the preferred one first. */
  readonly media: readonly [MediaPlan, ...MediaPlan[]]
  /** The schema of the value, of a stream that of one value; undefined: any value of the media types. */
  readonly schema: JsonSchema | undefined
}

/** A media type of a body, before those of one value are united. */
interface Candidate extends ReadMedia {
  readonly pointer: string
  readonly type: string
  /** The Schema Object of the value. */
  readonly source: unknown
}

/** Bodies of JSON first, then forms: they say most. */
const rank = ({ media: { kind } }: Candidate): number => (kind === 'json' ? 0 : kind === 'form' ? 1 : kind === 'multipart' ? 2 : 3)

/** Whether two media types have one value. A text and bytes have no schema, and are another value than that of JSON. */
function isSameValue(one: Candidate, other: Candidate): boolean {
  const kinds = [one.media.kind, other.media.kind]
  if (kinds.includes('multipart') || kinds.includes('events')) return false
  if (kinds.includes('ndjson') && kinds[0] !== kinds[1]) return false
  return (one.schema === undefined) === (other.schema === undefined) && (one.schema === undefined || isSameJson(one.source, other.source))
}

/** Reads the bodies of one document. */
export class BodyReader {
  private readonly reader: DocumentReader
  private readonly media: MediaReader

  /** @param isOwn whether the toolkit has written the document */
  constructor(reader: DocumentReader, schemas: DocumentSchemas, isOwn: boolean) {
    this.reader = reader
    this.media = new MediaReader(reader, schemas, isOwn)
  }

  /** The body of a `content`; undefined where it has none. */
  plan(content: Part | undefined, direction: Direction): BodyPlan | undefined {
    const candidates = this.reader.objects(content).flatMap(([type, part]): readonly Candidate[] => {
      const read = this.media.read(type, part, direction)
      const { schema, itemSchema = part.value['x-itemSchema'] } = part.value
      return read === undefined ? [] : [{ ...read, type, pointer: part.pointer, source: itemSchema ?? schema }]
    })
    const [first, ...others] = [...candidates].sort((one, other) => rank(one) - rank(other))
    if (first === undefined) return undefined
    const united = others.filter((other) => {
      const isSame = isSameValue(first, other)
      if (!isSame) {
        const message = `The body is another value in ${other.type} than in ${first.type}. Only ${first.type} is read.`
        this.reader.limits.add('media-type', other.pointer, message)
      }
      // The lines of JSON have one media type under several names.
      return isSame && first.media.kind !== 'ndjson'
    })
    // The order of the document is that of preference.
    const kept = candidates.filter((one) => one === first || united.includes(one))
    return { media: kept.map(({ media }) => media) as unknown as BodyPlan['media'], schema: first.schema }
  }
}
