/** What the tests of authentication share: a service for each test, its accounts, and requests with credentials. */
import { beforeEach, onTestFinished } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { normalizeText } from '../../src/accounts/rules.ts'
import { type Accounts, openStore } from '../../src/store/store.ts'
import { type Service, service } from '../support/service.ts'
import { type ReceivedResponse, type Sent, send, withHeaders } from './send.ts'

export const basic = (name: string, password: string): NonNullable<Sent['headers']> => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

type SendWith<Result> = (headers?: NonNullable<Sent['headers']>, from?: string, path?: string) => Promise<Result>

/** What a test has of its own service. */
export interface GuardedService {
  readonly it: () => Service
  readonly add: (name: string, password: string) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  readonly sendWith: SendWith<ReceivedResponse>
  readonly status: SendWith<number>
}

/** Starts a service before each test of the file. */
export function guardedService(): GuardedService {
  let it: Service
  beforeEach(async () => {
    it = await service()
    onTestFinished(it.close)
  })
  /** Works on the accounts where the service cannot see it, as another process would. */
  async function accounts(work: (accounts: Accounts) => unknown): Promise<void> {
    for (const url of it.database.urls) {
      const store = await openStore(url)
      await work(store.accounts)
      await store.close()
    }
  }
  const sendWith: GuardedService['sendWith'] = (headers = {}, from, path = '/users/list-all') =>
    send(it.main, { ...withHeaders(`GET ${path}`, headers), ...(from === undefined ? {} : { from }) })
  return {
    it: () => it,
    add: async (name, password) => {
      const hashed = await hashPassword(password)
      await accounts(({ put }) => put(normalizeText(name), hashed))
    },
    remove: (name) => accounts((all) => all.remove(name)),
    sendWith,
    status: async (...parameters) => (await sendWith(...parameters)).status,
  }
}
