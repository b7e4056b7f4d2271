/** The gallery in each version of ts-rest and of zod. */
import { initContract as initLatest, initClient as initLatestClient } from '@ts-rest/core'
import { initContract as initStable, initClient as initStableClient } from 'ts-rest-stable'
import { z as zod4 } from 'zod'
import { z as zod3 } from 'zod3'
import { createGallery } from './gallery.ts'

const asZod4 = zod3 as unknown as typeof zod4
const stable = initStable as unknown as typeof initLatest
const stableClient = initStableClient as unknown as typeof initLatestClient

/** Each combination: its name, the contract, and the client that goes on with it. */
export const versions = [
  { name: 'ts-rest 3.53 with zod 4', gallery: createGallery(zod4, initLatest()), initClient: initLatestClient },
  { name: 'ts-rest 3.53 with zod 3', gallery: createGallery(asZod4, initLatest()), initClient: initLatestClient },
  { name: 'ts-rest 3.52 with zod 3', gallery: createGallery(asZod4, stable()), initClient: stableClient },
  { name: 'ts-rest 3.52 with zod 4', gallery: createGallery(zod4, stable()), initClient: stableClient },
] as const
