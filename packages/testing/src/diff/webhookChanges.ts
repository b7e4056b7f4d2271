/** Compares webhooks. The server writes their bodies and its clients read them, as with a response. */
import { breakingJudgement, createFinding, type Finding, getChangeKind, getOwn, type Judge, listNames, safeJudgement } from './change.ts'
import { compareContentSchemas, listEssences } from './contentChanges.ts'
import * as reason from './diffMessages.ts'
import type { ApiManifest, ContentManifest, WebhookManifest } from './manifest.ts'
import type { JudgedChange } from './witness/createWitness.ts'

const judgeWebhook: Judge<WebhookManifest | undefined> = (receiver, sender, sides) =>
  receiver !== undefined && sender === undefined
    ? breakingJudgement(reason.webhookNotSent(sides))
    : safeJudgement(reason.webhookNotExpected(sides))

/** A server sends the one media type that it declares. */
const judgeSentType: Judge<ContentManifest> = (_, sender, sides) =>
  breakingJudgement(reason.webhookTypeRejected(sides, listEssences(sender)[0] ?? 'no media type'))

const judgeDeprecated: Judge<boolean> = () => safeJudgement(reason.webhookDeprecation())

function compareWebhook(old: WebhookManifest | undefined, now: WebhookManifest | undefined): readonly Finding[] {
  if (old === undefined || now === undefined) return [createFinding('', getChangeKind(old, now), old, now, judgeWebhook)]
  const deprecation =
    old.deprecated === now.deprecated ? [] : [createFinding('deprecated', 'changed', old.deprecated, now.deprecated, judgeDeprecated)]
  const isSameType = listEssences(old.body)[0] === listEssences(now.body)[0]
  const body = isSameType
    ? compareContentSchemas('body', old.body, now.body, 'response')
    : [createFinding('body types', 'changed', old.body, now.body, judgeSentType)]
  return [...body, ...deprecation]
}

/** Compares the webhooks of two APIs, which are the same where their names are. */
export const compareWebhooks = (old: ApiManifest['webhooks'] = {}, now: ApiManifest['webhooks'] = {}): readonly JudgedChange[] =>
  listNames(old, now).flatMap((name) =>
    compareWebhook(getOwn(old, name), getOwn(now, name)).map((finding) => ({ endpoint: `webhook ${name}`, finding })),
  )
