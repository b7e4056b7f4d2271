/** The failure to understand a setting when the service starts. */

/** Longer values are cut: the complaint is one line. */
const shown = 100

/** Thrown by `settings` and `commandLine`. The message is one line: the setting, its value, what is allowed. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'

  /** `value` is quoted in the message; without one the message does not show it. */
  constructor(setting: string, value: string | undefined, expected: string) {
    const cut = value !== undefined && value.length > shown ? `${value.slice(0, shown)}…` : value
    super(`${setting} ${cut === undefined ? 'cannot be used' : `is ${JSON.stringify(cut)}`}: expected ${expected}.`)
  }
}
