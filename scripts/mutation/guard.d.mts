/** A guard of the code, and the test that must fail without it. */
export interface Guard {
  readonly guard: string
  /** The file, from the root of the repository. */
  readonly file: string
  /** The text of the guard; it occurs once in the file. */
  readonly text: string
  /** The text that replaces it. */
  readonly fault: string
  /** The file of the test. */
  readonly test: string
  /** A regular expression that the full name of the test matches. */
  readonly name: string
  /** The project of vitest; by default the one that the path of the test implies. */
  readonly project?: string
}
