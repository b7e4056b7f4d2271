/** Reduces a sequence that shows a fault to the plainest one that still shows it. */
import { isJsonObject } from 'lapidary/internal'
import { acceptsValue, type Call } from '../../generate/calls.ts'
import type { EndpointUnderTest } from '../rule.ts'
import type { ItemFamily } from './itemFamily.ts'
import type { Play } from './playSteps.ts'
import { type CallPool, getStepSubject, type Step } from './step.ts'

/** A sequence that shows a fault. */
export interface FailingSequence {
  readonly steps: readonly Step[]
  readonly play: Play
}

/** What a reduction needs. */
interface ShrinkOptions {
  readonly family: ItemFamily
  readonly pool: CallPool
  /** Plays steps again; `undefined` if they do not show the same fault. */
  readonly replay: (steps: readonly Step[]) => Promise<Play | undefined>
  /** The number of sequences that are tried. */
  readonly tries: number
}

/** The result of a reduction. */
export interface ShrunkSequence extends FailingSequence {
  /** The number of sequences that were tried. */
  readonly tries: number
  /** Whether the same steps have shown the fault again. */
  readonly isRepeated: boolean
}

/** The calls that may be plainer than that of a step. */
function listPlainerCalls(subject: EndpointUnderTest, call: Call, pool: CallPool): readonly Call[] {
  const { body } = subject.endpoint
  const value = call.body?.value
  const plain = pool.list(subject).slice(0, 3)
  const { schema } = body ?? {}
  if (call.body === undefined || schema === undefined || !isJsonObject(value)) return plain
  const own = call.body
  const smaller = Object.keys(value).flatMap((name): readonly Call[] => {
    const { [name]: _, ...rest } = value
    return acceptsValue(schema, rest) ? [{ ...call, body: { ...own, value: rest } }] : []
  })
  // A value of the plainest call, one at a time: the others may be part of the fault.
  const values = plain.flatMap((other): readonly Call[] => {
    const members = other.body?.value
    if (!isJsonObject(members)) return []
    return Object.keys(members).flatMap((name): readonly Call[] => {
      const changed = { ...value, [name]: members[name] }
      const isPlainer = JSON.stringify(members[name]).length < JSON.stringify(value[name] ?? null).length
      return isPlainer && acceptsValue(schema, changed) ? [{ ...call, body: { ...own, value: changed } }] : []
    })
  })
  return [...plain, ...smaller, ...values]
}

const isPlainer = (call: Call, other: Call): boolean =>
  JSON.stringify(call.body?.value ?? null).length < JSON.stringify(other.body?.value ?? null).length

/** Reduces a sequence. */
export async function shrinkSteps(first: FailingSequence, { family, pool, replay, tries }: ShrinkOptions): Promise<ShrunkSequence> {
  let best: FailingSequence = { ...first, steps: first.steps.slice(0, first.play.steps) }
  let count = 0
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    if (count >= tries || steps.length === 0) return false
    count += 1
    const play = await replay(steps)
    if (play !== undefined) best = { steps: steps.slice(0, play.steps), play }
    return play !== undefined
  }
  // A fault may show in every second request.
  const isRepeated = (await attempt(best.steps)) || (await attempt(best.steps)) || (await attempt(best.steps))
  if (!isRepeated) return { ...best, tries: count, isRepeated }
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = best.steps.length - size; start >= 0; start -= size) {
      const { steps } = best
      await attempt([...steps.slice(0, start), ...steps.slice(start + size)])
    }
  }
  for (let index = 0; index < best.steps.length; index += 1) {
    const replaceStep = (change: Partial<Step>): Promise<boolean> =>
      attempt(best.steps.map((step, at) => (at === index ? { ...step, ...change } : step)))
    const [step, subject] = [best.steps[index], getStepSubject(family, best.steps[index]?.kind ?? 'read')]
    if (step === undefined || subject === undefined) continue
    if (step.client !== 0) await replaceStep({ client: 0 })
    if (step.condition !== 'none') await replaceStep({ condition: 'none' })
    let { call } = step
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false
      for (const plainer of listPlainerCalls(subject, call, pool)) {
        if (!isPlainer(plainer, call) || !(await replaceStep({ call: plainer }))) continue
        call = plainer
        isSmaller = true
        break
      }
    }
  }
  return { ...best, tries: count, isRepeated }
}
