/** The three users that the specification names: always these, whatever becomes of their rows. */
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'
import { seeds } from '../store/seeds.ts'
import type { User } from '../store/store.ts'

type Main = Handlers<typeof main>

const [isaac, albert] = seeds.users

export const founders: Pick<Main, 'isaac' | 'albert' | 'stream'> = {
  isaac: () => isaac,
  albert: () => albert,
  stream: async function* () {
    yield* seeds.users
  },
}

export const einstein: User = albert
