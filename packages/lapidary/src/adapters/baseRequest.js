/** What a request is on every adapter: who asks, what logs call it, how long its body was waited for, and how a handler hears that nobody waits any more. */
import { toErrorContext } from '../http/errorReport.js'
import { isPromise } from '../http/promises.js'
import { detachedLifetime } from './lifetime.js'
/** Plain fields rather than `#private` ones, so that a mount can see a request through another target. */
export class BaseRequest {
  id
  /** Told of what fails outside of any server; it never throws. */
  onError
  /** Where its state is: an object around it, which shows another target, has none of its own. */
  self
  controller
  shutdownSignal
  /** As somebody has set it. */
  remoteOverride
  /** Of the wait for the body, once somebody asks for it; two numbers, since an object for each request is felt. */
  waitStart
  waitEnd
  constructor(report) {
    this.id = undefined
    this.onError = report
    this.self = this
    this.controller = undefined
    this.shutdownSignal = undefined
    this.remoteOverride = undefined
    this.waitStart = undefined
    this.waitEnd = undefined
  }
  get remoteAddress() {
    return this.self.remoteOverride ?? this.getPeerAddress()
  }
  set remoteAddress(address) {
    this.self.remoteOverride = address
  }
  get bodyWait() {
    const { waitStart: waitBegan, waitEnd: waitEnded } = this.self
    return waitBegan === undefined ? 0 : (waitEnded ?? performance.now()) - waitBegan
  }
  /** Somebody asks for the body. */
  startBodyWait() {
    const { self } = this
    self.waitStart = performance.now()
    self.waitEnd = undefined
  }
  /** It is there, or will not come. */
  endBodyWait() {
    this.self.waitEnd ??= performance.now()
  }
  /** Whether somebody has asked for the body. */
  get isBodyRequested() {
    return this.self.waitStart !== undefined
  }
  get signal() {
    return this.getAbortController().signal
  }
  abort(reason) {
    this.getAbortController().abort(reason)
  }
  get shutdown() {
    const { self } = this
    self.shutdownSignal ??= self.lifetime.createShutdownSignal(self)
    return self.shutdownSignal
  }
  /** Fires the signal, if anybody has asked for it: the client has left. */
  abortOnDisconnect() {
    this.self.controller?.abort()
  }
  /** Tells a listener how the answer has ended. What it throws is reported, and keeps nobody else from hearing of it. */
  callEndListener(listener, ending) {
    const fail = (error) => this.onError(error, toErrorContext(this))
    try {
      const made = listener(ending)
      if (isPromise(made)) Promise.resolve(made).catch(fail)
    } catch (error) {
      fail(error)
    }
  }
  /** Of the server that it came to. */
  get lifetime() {
    return detachedLifetime
  }
  getAbortController() {
    const { self } = this
    if (self.controller === undefined) {
      self.controller = new AbortController()
      self.watchDisconnect()
    }
    return self.controller
  }
}
