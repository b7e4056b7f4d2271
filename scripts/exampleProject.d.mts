import type { ChildProcess } from 'node:child_process'

export function packPackage(name: string, folder: string): Promise<string>
export function installExample(name: string, project: string, tarball: string): Promise<void>
export interface StartedServer {
  readonly child: ChildProcess
  readonly url: string
}
export function startExample(project: string, environment: Readonly<Record<string, string>>): Promise<StartedServer>
export function startServer(
  words: readonly string[],
  project: string,
  environment?: Readonly<Record<string, string>>,
): Promise<StartedServer>
