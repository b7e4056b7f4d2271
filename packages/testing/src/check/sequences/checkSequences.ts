/** Checks what a server remembers: sequences of requests are played on it, and each response is compared with a model of the items. */
import { BudgetExceeded } from '../checkRun.ts'
import { checkClients } from '../clients/checkClients.ts'
import { formatResponse } from '../formatExchange.ts'
import type { EndpointReport, RuleFailure } from '../report.ts'
import type { EndpointUnderTest } from '../rule.ts'
import { formatTrace } from './formatTrace.ts'
import { findItemFamilies } from './itemFamily.ts'
import { type Play, type PlayContext, playSteps } from './playSteps.ts'
import { formatScript } from './script.ts'
import { createSequenceSender, ResponseMissing } from './sendRequests.ts'
import type { CheckSequencesOptions, SequenceStage } from './sequenceStage.ts'
import { type FailingSequence, type ShrunkSequence, shrinkSteps } from './shrinkSteps.ts'
import { createCallPool, createDraw, drawSteps, type Step } from './step.ts'
import { listFamilyEndpoints, listTestableRules, surveyFamily } from './surveyFamily.ts'

/** The results of the sequences. */
export interface SequenceResults {
  readonly families: readonly EndpointReport[]
  readonly requests: number
  readonly isOverBudget: boolean
  /** Why the server could no longer be reached; `undefined` if it could. */
  readonly outage?: string | undefined
}

/** The lengths of sequences, in turn: a short one shows most faults, and a long one the others. */
const sequenceLengths = [6, 12, 20, 30]
/** The number of sequences that are tried to reduce one. */
const maxPlays = 120

const createFailure = (
  stage: SequenceStage,
  { family }: PlayContext,
  { steps, play, tries, isRepeated }: ShrunkSequence,
): RuleFailure[] => {
  const { finding, requests, items } = play
  if (finding === undefined) return []
  const { redact, base } = stage
  const last = requests.at(-1)?.sent
  const { rule, message, expectation } = finding
  const note = isRepeated ? '' : '; the same requests did not show it again'
  return [
    {
      rule: rule.name,
      cause: `${rule.name}: ${family.item.name}`,
      description: rule.description,
      endpoint: family.item.name,
      route: finding.subject.endpoint.route,
      violation: redact(`step ${requests.length}: ${message}${note}`),
      curl: null,
      response: last === undefined ? null : redact(formatResponse(last)),
      shrinks: tries,
      steps: formatTrace(requests, redact),
      script: steps.length === 0 ? null : formatScript({ base, requests, items, rule: rule.name, message, expectation, redact }),
      more: 0,
    },
  ]
}

/** Plays the sequences of one family, and reports each broken rule once. */
async function checkFamily(stage: SequenceStage, context: PlayContext, count: number, found: RuleFailure[]): Promise<void> {
  const { pool, seed, senders, rules, invariants } = stage
  const { family } = context
  const names = new Set([...rules, ...invariants].map(({ name }) => name))
  const isNew = ({ finding }: Play): boolean =>
    finding !== undefined && names.has(finding.rule.name) && !found.some(({ rule }) => rule === finding.rule.name)
  let played = 0
  for (let round = 0; played < count; round += 1) {
    const length = Math.min(sequenceLengths[round % sequenceLengths.length] ?? 0, count - played)
    const steps = drawSteps(family, pool, createDraw(seed, family.item.name, round), Math.max(2, length), senders.length)
    if (steps.length === 0) return
    const play = await playSteps(context, steps)
    played += Math.max(1, play.steps)
    if (!isNew(play)) continue
    const first: FailingSequence = { steps, play }
    const replay = async (others: readonly Step[]): Promise<Play | undefined> => {
      const again = await playSteps(context, others)
      return again.finding?.rule.name === play.finding?.rule.name ? again : undefined
    }
    const shrunk = await shrinkSteps(first, { family, pool, replay, tries: maxPlays })
    found.push(...createFailure(stage, context, shrunk))
  }
}

/** Runs a part of the stage; a missing response and a used budget end it. @returns why it ended early, or an empty text; and why the server went away */
async function runPart(part: () => Promise<void>): Promise<{ readonly ended: string; readonly outage?: string }> {
  try {
    await part()
    return { ended: '' }
  } catch (error) {
    if (error instanceof BudgetExceeded) return { ended: 'the budget was used up' }
    if (!(error instanceof ResponseMissing)) throw error
    const ended = `${error.request.method} ${error.request.target}: ${error.message}`
    return error.isOutage ? { ended, outage: error.message } : { ended }
  }
}

/** Checks the sequences of each family of items. */
export async function checkSequences(options: CheckSequencesOptions): Promise<SequenceResults> {
  const { run, endpoints, senders, invariants, limits, seed, seconds, known, rules, steps } = options
  const deadline = performance.now() + seconds * 1_000
  const isKnown = (subject: EndpointUnderTest, rule: string): boolean =>
    known.some((failure) => failure.rule === rule && failure.endpoint === subject.name)
  const sender = createSequenceSender({ senders, invariants, limits, deadline, isKnown })
  const stage: SequenceStage = { ...options, sender, pool: createCallPool(run, seed) }
  const families = findItemFamilies(endpoints)
  const reports: EndpointReport[] = []
  let isOverBudget = false
  let outage: string | undefined
  for (const family of families) {
    const before = sender.countRequests()
    const found: RuleFailure[] = []
    let skipReason = ''
    // Those of clients are tested where the API has something of the kind.
    const tested = new Set(listTestableRules(family, rules).map(({ name }) => name))
    const { ended, outage: ownOutage } = await runPart(async () => {
      const missing = listFamilyEndpoints(family).find((subject) => !run.isAuthorized(subject))
      if (missing !== undefined) skipReason = `no credentials were given for ${missing.endpoint.route}`
      if (skipReason !== '') return
      const survey = await surveyFamily({ run, sender, pool: stage.pool, family })
      skipReason = survey.skipReason
      if (skipReason !== '') return
      const share = Math.ceil(steps / families.length)
      await checkFamily(stage, survey.context, share, found)
      for (const name of await checkClients(stage, survey.context, share, found)) tested.add(name)
    })
    outage ??= ownOutage
    isOverBudget ||= ended !== '' && performance.now() > deadline
    const isTested = skipReason === '' && ended === ''
    reports.push({
      endpoint: family.item.name,
      route: family.item.endpoint.route,
      requests: sender.countRequests() - before,
      passed: isTested ? [...tested].filter((name) => !found.some(({ rule }) => rule === name)) : [],
      notTested: isTested ? [] : [...tested].filter((name) => !found.some(({ rule }) => rule === name)),
      failures: found,
      statuses: [],
      skipReason: [skipReason, ended].filter(Boolean).join('; '),
    })
  }
  return { families: reports, requests: sender.countRequests(), isOverBudget, outage }
}
