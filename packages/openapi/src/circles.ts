/** Schemas that lead back to themselves for one and the same value: no validator comes to an end. */
import { encodePointerStep, isJsonObject } from 'lapidary/internal'
import { type DocumentReader, toPointer } from './document.ts'

/** Keywords whose schemas apply to the value itself, and not to a part of it. */
const inPlaceKeywords = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']

/** Whether a reference at a place only adds to what the schema around it demands. */
const isAddition = (place: string): boolean => /\/allOf\/\d+$/.test(place)

/** Finds the circles of one document. */
export class SchemaCircles {
  private readonly reader: DocumentReader
  private readonly circles = new Map<string, boolean>()

  constructor(reader: DocumentReader) {
    this.reader = reader
  }

  /**
   * Whether no schema can hold a reference: it closes a circle. A circle opens at a reference in `allOf`, which demands nothing new of a
   * value: `Pet` is one of `Cat` and `Dog`, and `Cat` is all of `Pet` and more. In any other circle, each schema is without a meaning.
   *
   * @param place of the object that has the reference
   */
  isClosedBy(target: string, place: string): boolean {
    if (isAddition(place)) return this.leads(target, place, true)
    const known = this.circles.get(target) ?? this.leads(target, target, false)
    this.circles.set(target, known)
    return known
  }

  /** Whether schemas for the same value lead from a place to another. @param hasAdditions whether also by references in `allOf` */
  private leads(start: string, goal: string, hasAdditions: boolean): boolean {
    const seen = new Set<string>()
    const waiting = this.next(start, hasAdditions)
    if (start === goal && hasAdditions) return true
    for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
      if (here === goal) return true
      if (seen.has(here)) continue
      seen.add(here)
      waiting.push(...this.next(here, hasAdditions))
    }
    return false
  }

  /** The places of the schemas that a value also has to go through. */
  private next(place: string, hasAdditions: boolean): string[] {
    const { value } = this.reader.at(place)
    if (!isJsonObject(value)) return []
    const target = toPointer(value['$ref'])
    const found = target === undefined || (isAddition(place) && !hasAdditions) ? [] : [target]
    // Nothing beside a reference counts in 3.0.
    if (value['$ref'] !== undefined && this.reader.dialect === '3.0') return found
    for (const keyword of inPlaceKeywords) {
      const parts = value[keyword]
      if (!isJsonObject(parts) && !Array.isArray(parts)) continue
      const isOne = !Array.isArray(parts) && keyword !== 'dependentSchemas'
      const names = isOne ? [''] : Object.keys(parts).map((name) => encodePointerStep(name))
      found.push(...names.map((name) => `${place}/${keyword}${name}`))
    }
    return found
  }
}
