/** One step from one version of the tables to the next. */

/** Plain SQL that runs once, whole or not at all, on the tables that version `version - 1` left behind; empty where there is nothing to do. */
export interface Migration {
  readonly version: number
  /** What it does, in a few words; kept in the database beside the version. */
  readonly title: string
  readonly sqlite: string
  readonly postgres: string
}
