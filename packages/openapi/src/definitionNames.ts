/** The names of the schemas that references lead to. */
import { decodePointerStep } from 'lapidary/internal'

/** The name of the definition that a reference leads to. It has only characters that a reference has as they are. */
export const getDefinitionName = (reference: string): string => reference.replace('#/$defs/', '')

/** The names of definitions: that of the component, or the last steps of the place. */
export class DefinitionNames {
  private readonly names = new Map<string, string>()
  private readonly taken = new Set<string>()

  of(pointer: string): string {
    const known = this.names.get(pointer)
    if (known !== undefined) return known
    const steps = pointer.split('/').slice(1).map(decodePointerStep)
    // `/components/schemas/User`, and `User.yaml` of another file.
    const isNamed = ['schemas', 'definitions', '$defs'].includes(steps.at(-2) ?? '') || (steps[0] === 'x-files' && steps.length === 2)
    const last = isNamed ? (steps.at(-1) ?? '').replace(/^.*\//, '').replace(/\.(?:ya?ml|json)$/i, '') : steps.slice(-3).join('_')
    const wanted = last.replaceAll(/[^\w.-]+/g, '_') || 'schema'
    let name = wanted
    for (let number = 2; this.taken.has(name); number += 1) name = `${wanted}${number}`
    this.taken.add(name)
    this.names.set(pointer, name)
    return name
  }
}
