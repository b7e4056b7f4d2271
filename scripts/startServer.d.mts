import type { ChildProcess } from 'node:child_process'

export interface StartedServer {
  readonly child: ChildProcess
  readonly url: string
}
export function startServer(
  words: readonly string[],
  project: string,
  environment?: Readonly<Record<string, string>>,
): Promise<StartedServer>
