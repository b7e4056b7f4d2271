/** The rules of the parts of a form, whether it is read as a whole or part by part: their names, their number, their types and sizes. */
import { type FileLimits, getFileLimits } from '../contract/parameters/file.ts'
import type { AnyParameter, ParameterRecord } from '../contract/parameters/parameter.ts'
import { toolkitErrors } from '../http/errors.ts'
import type { HttpError, ProblemError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { getEssence, isInMediaRange, parseMediaType } from '../http/mediaTypes.ts'
import { isBoundary, MultipartParser, type PartHead } from '../http/multipartParser.ts'
import * as expectation from '../messages/expectations.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { InvalidInputError } from './invalidInput.ts'

/** The most parts of a form, those that are not declared included. */
const maxParts = 1_000
/** The most bytes of all texts of a form. */
const maxTextBytes = 1_048_576

export const createPartError = (name: string, detail: string): ProblemError => ({ in: 'body', name, detail })

/** The error of a body that is no form. */
export const createFormError = (expected: string): HttpError =>
  new InvalidInputError('body', [{ in: 'body', detail: `expected ${expected}` }])

/** Creates the parser of the form of a request. @throws HttpError 400 for a Content-Type without a boundary */
export function createFormParser(request: HttpRequest): MultipartParser {
  const boundary = parseMediaType(request.header('content-type') ?? '')?.parameters.get('boundary') ?? ''
  if (!isBoundary(boundary)) throw createFormError(expectation.boundaryParameter())
  return new MultipartParser(boundary)
}

const isOfType = (type: string, ranges: readonly string[]): boolean =>
  ranges.length === 0 || ranges.some((range) => isInMediaRange(type, range))

/** What is declared of a part. */
export interface DeclaredPart {
  readonly parameter: AnyParameter
  /** Undefined: it is a text. */
  readonly limits: FileLimits | undefined
}

/** The declared parts of a form, by name. */
export type FormParts = ReadonlyMap<string, DeclaredPart>

export const declareParts = (parts: ParameterRecord): FormParts =>
  new Map(Object.entries(parts).map(([name, parameter]) => [name, { parameter, limits: getFileLimits(parameter) }]))

/** The part that arrives. */
export interface CurrentPart {
  readonly name: string
  readonly head: PartHead
  readonly declared: DeclaredPart
}

/** Applies the rules to the parts of one form, in their order. */
export class FormRules {
  /** The part that arrives; undefined: it is dropped. */
  current: CurrentPart | undefined = undefined
  private readonly declared: FormParts
  private readonly counts = new Map<string, number>()
  private parts = 0
  private textBytes = 0
  /** The bytes of the current part. */
  private size = 0

  constructor(declared: FormParts) {
    this.declared = declared
  }

  /** @throws HttpError for a part that cannot be accepted, before its content arrives */
  begin(head: PartHead): CurrentPart | undefined {
    const { name } = head
    this.parts += 1
    if (this.parts > maxParts) throw toolkitErrors.contentTooLarge({ detail: problemDetail.tooManyParts(maxParts) })
    const declared = this.declared.get(name)
    this.current = declared && { name, head, declared }
    this.size = 0
    if (declared === undefined) return undefined
    this.checkCount(name, declared)
    // A field of a browser's form without a file has a type, and no name.
    if (head.fileName !== '') this.checkType(this.current as CurrentPart)
    return this.current
  }

  /** Counts bytes of the current part. @throws HttpError as soon as it is too much */
  add({ length }: Uint8Array): void {
    const { current } = this
    if (current === undefined) return
    const { name, head, declared } = current
    if (this.size === 0 && head.fileName === '') this.checkType(current)
    this.size += length
    if (declared.limits === undefined) {
      this.textBytes += length
      if (this.textBytes > maxTextBytes) throw toolkitErrors.contentTooLarge({ detail: problemDetail.formTextsTooLarge(maxTextBytes) })
      return
    }
    const { maxSize = Number.POSITIVE_INFINITY } = declared.limits
    if (this.size <= maxSize) return
    const error = createPartError(name, `expected ${expectation.fileOfSize(maxSize)}`)
    throw toolkitErrors.contentTooLarge({ detail: problemDetail.fileTooLarge(name), errors: [error] })
  }

  /** The part that has ended; undefined: it was dropped, or it is the field of a browser's form without a file. */
  end(): CurrentPart | undefined {
    const { current } = this
    this.current = undefined
    if (current === undefined || (current.declared.limits !== undefined && this.size === 0 && current.head.fileName === ''))
      return undefined
    this.counts.set(current.name, this.getCount(current.name) + 1)
    return current
  }

  /** How many parts of a name have ended. */
  getCount(name: string): number {
    return this.counts.get(name) ?? 0
  }

  private checkCount(name: string, { parameter, limits }: DeclaredPart): void {
    const count = this.getCount(name) + 1
    const { minItems, maxItems } = parameter.jsonSchema
    // The reader of a list counts its texts.
    const most = parameter.repeats ? ((limits === undefined ? undefined : maxItems) ?? maxParts) : 1
    if (count <= most) return
    const expected = parameter.repeats ? expectation.items(minItems ?? 0, maxItems, count) : expectation.oneValue(count)
    throw new InvalidInputError('body', [createPartError(name, `expected ${expected}`)])
  }

  private checkType({ name, head, declared: { limits } }: CurrentPart): void {
    if (limits === undefined || isOfType(getEssence(head.type ?? ''), limits.types)) return
    const error = createPartError(name, `expected ${expectation.fileOfType(limits.types)}`)
    throw toolkitErrors.unsupportedMediaType({ detail: problemDetail.wrongFileType(name), errors: [error] })
  }
}
