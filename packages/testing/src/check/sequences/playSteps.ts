/** Plays the steps of a sequence on the server, and compares each response with the model. */
import { idempotencyKeyHeader, isJsonObject } from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import type { CheckRun } from '../checkRun.ts'
import { createIdempotencyKey, type WireRequest, type WireResponse, withHeaderLines, withoutConditions } from '../exchange.ts'
import type { EndpointUnderTest } from '../rule.ts'
import type { ComparableMembers } from './comparableMembers.ts'
import { expectStatus, type SequenceFinding } from './finding.ts'
import type { ItemFamily } from './itemFamily.ts'
import { ItemState } from './itemState.ts'
import { isSameValue, type Members, parseRequestMembers, parseResponseJson } from './jsonValues.ts'
import { judgeList } from './judgeList.ts'
import { formatLabel, isSuccess, judgeItemStep, showPart } from './judgeResponse.ts'
import * as messages from './messages.ts'
import { listCaptures, type PlayedItem, type PlayedRequest, parentItem, withIdentifier, withTexts } from './playedItem.ts'
import { newIdentifiersRule, repeatedPostsRule } from './rules.ts'
import type { SentRequest, SequenceSender } from './sendRequests.ts'
import { type CallPool, type Condition, getStepSubject, isConditional, type Step } from './step.ts'
import { selectPages, walkList } from './walkList.ts'

/** What has happened: the requests, and the broken rule that the last one shows. */
export interface Play {
  readonly requests: readonly PlayedRequest[]
  readonly items: ReadonlyMap<number, PlayedItem>
  readonly finding: (SequenceFinding & { readonly subject: EndpointUnderTest }) | undefined
  /** The number of steps that were played. */
  readonly steps: number
}

/** What the plays of a family share. */
export interface PlayContext {
  readonly run: CheckRun
  readonly sender: SequenceSender
  readonly pool: CallPool
  readonly family: ItemFamily
  /** The members of an item that change by themselves. */
  readonly volatile: ReadonlySet<string>
  /** The members that responses have shown. */
  readonly comparable: ComparableMembers
  /** Whether a list has all items: it has no filter. */
  readonly isWholeList: boolean
}

/** How many other calls are tried if the server refuses one that creates an item: it may allow a value once. */
const furtherCreations = 3

/** Plays one sequence. */
export class Player {
  readonly #context: PlayContext
  readonly #requests: PlayedRequest[] = []
  /** What was sent for each item, by its path; also of items that were deleted. */
  readonly #usedPaths = new Map<string, { readonly number: number; readonly members: Members | undefined }>()
  readonly items: Map<number, PlayedItem> = new Map()
  finding: Play['finding'] = undefined
  /** The last response that did not create an item. */
  lastRefusal: WireResponse | undefined = undefined

  constructor(context: PlayContext) {
    this.#context = context
  }

  get requests(): readonly PlayedRequest[] {
    return this.#requests
  }

  async #send(subject: EndpointUnderTest, request: WireRequest, client: number, item?: number, isCreation = false): Promise<SentRequest> {
    const { sender } = this.#context
    const sent = await sender.send(subject, request, client)
    this.#requests.push({ sent, item, isCreation })
    const found = await sender.findViolation(sent, 'other')
    if (found !== undefined) this.#report(subject, { rule: found.rule, message: found.violation, expectation: undefined })
    return sent
  }

  #report(subject: EndpointUnderTest, finding: SequenceFinding | undefined): void {
    if (finding !== undefined) this.finding ??= { ...finding, subject }
  }

  /** Finds the texts of the path of a new item: in Location, else by the identifier in the body. */
  #findTexts(family: ItemFamily, { request, response }: SentRequest, parents: readonly string[]): readonly string[] | undefined {
    const location = response.header('location')
    const { index } = this.#context.run
    const resolved = location === undefined ? undefined : index.resolveUrl(index.resolveLocation(location, request.target))
    if (resolved?.subject.name === family.item.name) return listCaptures(family.item).map((name) => resolved.captures[name] ?? '')
    const body = parseResponseJson(response)
    const id = isJsonObject(body) ? body[family.identifier] : undefined
    // A rounded number may identify another item.
    return typeof id === 'string' || Number.isSafeInteger(id) ? [...parents, String(id)] : undefined
  }

  /** Creates the item that the path names first; the texts are those of its captures. */
  async findParents(family: ItemFamily, client: number): Promise<readonly string[]> {
    if (family.parent === undefined) return []
    const known = this.items.get(parentItem)
    if (known !== undefined) return known.texts
    const [given] = this.#context.run.knownIds.list(family.parent.item)
    const existing = given === undefined ? undefined : listCaptures(family.parent.item).map((name) => given[name] ?? '')
    const [call] = this.#context.pool.list(family.parent.create)
    if (call === undefined) return existing ?? []
    const created = await this.#create(family.parent, call, client, parentItem)
    return created?.texts ?? existing ?? []
  }

  async #create(family: ItemFamily, first: Call, client: number, number: number): Promise<PlayedItem | undefined> {
    const { run, pool } = this.#context
    const usedPaths = this.#usedPaths
    const parents = number === parentItem ? [] : await this.findParents(family, client)
    const others = pool.list(family.create)
    const start = others.indexOf(first) + 1
    for (const call of [first, ...others.slice(start), ...others.slice(0, start)].slice(0, furtherCreations + 1)) {
      const built = await run.buildRequest(family.create, withTexts(family.create, call, parents))
      const request =
        family.create.endpoint.idempotent === undefined ? built : withHeaderLines(built, idempotencyKeyHeader, createIdempotencyKey())
      const created = await this.#send(family.create, request, client, number, true)
      if (this.finding !== undefined) return undefined
      // The value may be allowed once, by a rule that the description does not have.
      this.lastRefusal = created.response
      if (!isSuccess(created.response)) {
        this.#requests.pop()
        continue
      }
      const texts = this.#findTexts(family, created, [...Object.values(withTexts(family.create, call, parents).captures)])
      if (texts === undefined) return undefined
      const members = parseRequestMembers(request)
      const identity = { member: family.identifier, text: texts.at(-1) ?? '' }
      const state = new ItemState(family, number === parentItem ? new Set() : this.#context.volatile, identity, members)
      const item: PlayedItem = { family, texts, state, created }
      const isChosen = Object.values(members ?? {}).some((value) => String(value) === texts.at(-1))
      const path = texts.join('/')
      const key = `${family.item.name} ${path}`
      // The server may send the item that has this value already.
      const earlier = usedPaths.get(key)
      if (earlier !== undefined && !isChosen && !isSameValue(earlier.members, members))
        this.#report(family.create, {
          rule: newIdentifiersRule,
          message: messages.reusedIdentifier(texts.at(-1) ?? ''),
          expectation: { kind: 'identifier', item: earlier.number, isEqual: false },
        })
      usedPaths.set(key, { number, members })
      for (const one of this.items.values()) if (one.family === family && one.texts.join('/') === path) one.state.existence = 'unknown'
      this.items.set(number, item)
      state.write(formatLabel(created), members, true)
      this.#report(family.create, showPart(family, state, created, this.#context.comparable))
      return item
    }
    return undefined
  }

  /** Reads an item, so that its ETag is known. */
  async #read(item: PlayedItem, number: number, client: number, etag?: string, condition: Condition = 'none'): Promise<void> {
    const { run, pool, comparable } = this.#context
    const subject = item.family.item
    const [call] = pool.list(subject)
    if (call === undefined) return
    const built = withoutConditions(await run.buildRequest(subject, withTexts(subject, call, item.texts)))
    const request = etag === undefined ? built : withHeaderLines(built, 'If-None-Match', etag)
    const sent = await this.#send(subject, request, client, number)
    const kind = etag === undefined ? 'read' : 'revalidate'
    if (this.finding === undefined) this.#report(subject, judgeItemStep(item.family, item.state, { kind, sent, condition }, comparable))
  }

  async #change(
    item: PlayedItem,
    { kind, item: number, call, client }: Step,
    etag: string | undefined,
    condition: Condition,
  ): Promise<void> {
    const { run, family, comparable } = this.#context
    const subject = getStepSubject(family, kind)
    if (subject === undefined) return
    const named = withIdentifier(family, withTexts(subject, call, item.texts), item.texts.at(-1) ?? '')
    const built = withoutConditions(await run.buildRequest(subject, named))
    const sent = await this.#send(subject, etag === undefined ? built : withHeaderLines(built, 'If-Match', etag), client, number)
    if (this.finding === undefined) this.#report(subject, judgeItemStep(family, item.state, { kind, sent, condition }, comparable))
  }

  async #list({ call, client }: Step): Promise<void> {
    const { run, family, isWholeList, comparable } = this.#context
    const { list } = family
    if (list === undefined) return
    const parents = [...this.items.values()].find((item) => item.family === family)?.texts.slice(0, -1) ?? []
    const request = await run.buildRequest(list, withTexts(list, selectPages(list.endpoint, call, 'largest'), parents))
    const walk = await walkList(list, request, (one) => this.#send(list, one, client))
    if (walk !== undefined && this.finding === undefined) this.#report(list, judgeList(family, walk, this.items, isWholeList, comparable))
  }

  async #repeat(item: PlayedItem, number: number, client: number): Promise<void> {
    const { created } = item
    const sent = await this.#send(created.subject, created.request, client, number)
    const { response } = sent
    const [first, second] = [created.response, response].map((one) => one.header('location'))
    const difference =
      response.status !== created.response.status
        ? messages.postNotRepeated('', `${created.response.status}`, `${response.status}`)
        : first !== second
          ? messages.postNotRepeated('the Location ', first ?? 'none', second ?? 'none')
          : undefined
    if (difference !== undefined && this.finding === undefined)
      this.#report(created.subject, {
        rule: repeatedPostsRule,
        message: difference,
        expectation: first === second ? expectStatus(created.response.status) : { kind: 'identifier', item: number, isEqual: true },
      })
  }

  /** Deletes the items that are there, where the API can delete them. */
  async cleanUp(): Promise<void> {
    const { run, pool, sender } = this.#context
    for (const { family, texts, state } of [...this.items.values()].toReversed()) {
      const [call] = family.remove === undefined ? [] : pool.list(family.remove)
      if (family.remove === undefined || call === undefined || state.existence === 'absent') continue
      const request = withoutConditions(await run.buildRequest(family.remove, withTexts(family.remove, call, texts)))
      await sender.send(family.remove, isConditional(family.remove) ? withHeaderLines(request, 'If-Match', '*') : request, 0)
    }
  }

  /** Plays a step. A step about an item that was not created is left out. */
  async play(step: Step): Promise<void> {
    const { kind, item: number, call, client, condition } = step
    if (kind === 'create') return void (await this.#create(this.#context.family, call, client, number))
    if (kind === 'list') return this.#list(step)
    const item = this.items.get(number)
    // A request about an item of an unknown state could change another one that has its identifier now.
    if (item === undefined || item.state.existence === 'unknown') return
    if (kind === 'repeat') return this.#repeat(item, number, client)
    const isTagged = condition !== 'none' && item.state.existence === 'present'
    if (isTagged && !item.state.isRead) await this.#read(item, number, client)
    if (this.finding !== undefined) return
    const etag = !isTagged ? undefined : condition === 'current' ? item.state.etag : item.state.earlierEtag
    const sentCondition = etag === undefined ? 'none' : condition
    if (kind === 'read' || kind === 'revalidate') return this.#read(item, number, client, etag, sentCondition)
    return this.#change(item, step, etag, sentCondition)
  }
}

/** Plays steps until one shows a fault, and deletes the items. */
export async function playSteps(context: PlayContext, steps: readonly Step[]): Promise<Play> {
  const player = new Player(context)
  let played = 0
  for (const step of steps) {
    await player.play(step)
    played += 1
    if (player.finding !== undefined) break
  }
  await player.cleanUp()
  return { requests: player.requests, items: player.items, finding: player.finding, steps: played }
}
