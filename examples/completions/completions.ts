/** Completions while they run: each keeps its events, so that a reader whose connection was cut continues after the last one that it has. */
import { randomUUID } from 'node:crypto'
import { EventEmitter, on } from 'node:events'
import type { Completion, End, Prompt } from './api.ts'
import type { Model } from './model.ts'

type CompletionEvent = { readonly event: 'token'; readonly data: { readonly text: string } } | { readonly event: 'end'; readonly data: End }

export interface CompletionsOptions {
  /** How long a completion goes on without a reader, in milliseconds. One that was cut off comes back within this time. */
  readonly linger: number
  /** How long a completion stays after its end, in milliseconds. */
  readonly keep: number
  /** What a model throws. Clients learn only that it failed. */
  readonly onError: (error: unknown) => void
}

interface Run {
  readonly id: string
  readonly events: CompletionEvent[]
  readonly controller: AbortController
  readonly bell: EventEmitter
  state: Completion['state']
  readers: number
  timer?: NodeJS.Timeout
}

export function createCompletions(model: Model, { linger, keep, onError }: CompletionsOptions) {
  const runs = new Map<string, Run>()

  /** The tokens of a prompt, and how they end. */
  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, undefined> {
    let tokens = 0
    let end: Pick<End, 'state' | 'detail'> = { state: 'done' }
    try {
      for await (const text of model(prompt, signal)) {
        if (signal.aborted) break
        tokens += 1
        yield { event: 'token', data: { text } }
      }
    } catch (error) {
      if (!signal.aborted) {
        onError(error)
        end = { state: 'failed', detail: 'The model has failed. What it had written until then is above.' }
      }
    }
    yield { event: 'end', data: { ...(signal.aborted ? { state: 'cancelled' } : end), tokens } }
  }

  /** After this time, unless a reader comes. It keeps no process alive. */
  function schedule(run: Run, delay: number, action: () => void): void {
    clearTimeout(run.timer)
    run.timer = setTimeout(action, delay).unref()
  }

  const waitForReader = (run: Run): void => schedule(run, linger, () => run.controller.abort())

  async function generate(run: Run, prompt: Prompt): Promise<void> {
    for await (const event of complete(prompt, run.controller.signal)) {
      run.events.push(event)
      if (event.event === 'end') run.state = event.data.state
      run.bell.emit('event')
    }
    schedule(run, keep, () => runs.delete(run.id))
  }

  return {
    complete,

    start(prompt: Prompt): Completion {
      const run: Run = {
        id: randomUUID(),
        events: [],
        controller: new AbortController(),
        bell: new EventEmitter().setMaxListeners(0),
        state: 'running',
        readers: 0,
      }
      runs.set(run.id, run)
      waitForReader(run)
      void generate(run, prompt)
      return { id: run.id, state: run.state, text: '' }
    },

    find(id: string): Completion | undefined {
      const run = runs.get(id)
      return run && { id, state: run.state, text: run.events.map((one) => (one.event === 'token' ? one.data.text : '')).join('') }
    },

    /** Whether there are more events after this one, now or later. */
    hasMore(id: string, last: number): boolean {
      const run = runs.get(id)
      return run !== undefined && (run.state === 'running' || last < run.events.length)
    },

    /** The events after this one. @param signal fires when the reader goes away */
    async *read(id: string, last: number, signal: AbortSignal) {
      const run = runs.get(id)
      if (run === undefined) return
      run.readers += 1
      if (run.state === 'running') clearTimeout(run.timer)
      try {
        // It listens before it reads, so that nothing is lost in between.
        const rings = on(run.bell, 'event', { signal })
        let next = last
        do {
          for (let event = run.events[next]; event !== undefined; event = run.events[next]) {
            next += 1
            yield { ...event, id: `${next}` }
          }
        } while (run.state === 'running' && !(await rings.next()).done)
        await rings.return?.()
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        run.readers -= 1
        if (run.readers === 0 && run.state === 'running') waitForReader(run)
      }
    },

    /** Stops a completion. @returns whether there is one */
    cancel(id: string): boolean {
      const run = runs.get(id)
      run?.controller.abort()
      return run !== undefined
    },

    /** Stops all of them. */
    close(): void {
      for (const run of runs.values()) run.controller.abort()
    },
  }
}

export type Completions = ReturnType<typeof createCompletions>
