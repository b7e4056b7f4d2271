/** Something that was asked for is not so. */
export class CheckFailed extends Error {
  name = 'CheckFailed'
  rule
  /** The exchange that shows it; undefined where none does by itself. */
  exchange
  constructor(predicate, message, exchange) {
    super(message)
    this.rule = predicate
    this.exchange = exchange
  }
}
export const isProbe = (predicate) => 'probe' in predicate
