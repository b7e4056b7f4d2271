/** Starts a service of several processes for tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { folderOfTest, type Process, serviceProcess } from '../support/service.ts'

type Line = Readonly<Record<string, unknown>>

export interface ClusterProcess extends Process {
  /** Where `main` answers. */
  readonly base: string
  /** The workers that have listened so far, those that are gone included. */
  readonly workers: () => readonly number[]
  /** Resolves with the worker that listens as the nth of all, counted from 1, and when that was. */
  readonly nth: (count: number) => Promise<{ readonly pid: number; readonly at: number }>
  /** Resolves with the line about the end of a worker. */
  readonly death: (pid: number) => Promise<Line>
}

export interface ClusterOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
}

/** Whether a process runs. A zombie does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // No such system, or gone meanwhile: the signal has shown which.
    return process.platform !== 'linux'
  }
}

/** Resolves when none of these processes runs. */
export const gone = (pids: readonly number[]): Promise<void> =>
  vi.waitFor(() => expect(pids.filter(runs)).toEqual([]), { timeout: 15_000, interval: 20 })

const listens = ({ msg }: Line): boolean => msg === 'a worker listens'

/** Two workers that serve `main`, from a database file in the folder, and all of them listen. */
export async function clusterProcess({ environment = {}, folder = folderOfTest() }: ClusterOptions = {}): Promise<ClusterProcess> {
  const about: { service?: Process } = {}
  const known = (): readonly number[] => (about.service?.lines ?? []).filter(listens).map(({ worker }) => Number(worker))
  onTestFinished(async () => {
    for (const pid of known().filter(runs)) process.kill(pid, 'SIGKILL')
    await about.service?.ended
  })
  const preset = { WORKERS: '2', PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'service.db')}` }
  const service = serviceProcess(['main'], { ...preset, ...environment }, folder)
  about.service = service
  const base = await service.listening('main')
  const nth: ClusterProcess['nth'] = async (count) => {
    const line = await service.line((one) => listens(one) && service.lines.filter(listens).indexOf(one) === count - 1)
    return { pid: Number(line['worker']), at: Date.parse(String(line['time'])) }
  }
  const death: ClusterProcess['death'] = (pid) => service.line(({ msg, worker }) => msg === 'a worker ended' && worker === pid)
  if (environment['LOG_LEVEL'] === undefined) await nth(Number(environment['WORKERS'] ?? preset.WORKERS))
  return { ...service, base, workers: known, nth, death }
}
