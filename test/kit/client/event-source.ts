import { vi } from 'vitest'

/** An event source of the browser, whose events the test sends. */
export class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    opened.push(this)
  }
  close(): void {
    this.readyState = FakeSource.CLOSED
  }
  open(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  send(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }))
  }
  /** @param isOver the browser does not open it again */
  fail(isOver: boolean): void {
    this.readyState = isOver ? FakeSource.CLOSED : 0
    this.dispatchEvent(new Event('error'))
  }
}

let opened: FakeSource[] = []

/** Nothing is heard from other tabs: a page that an earlier test left would be one. */
class SilentChannel {
  postMessage(): void {}
  close(): void {}
}

/** Gives jsdom event sources until the test ends. @returns those that were made. */
export function stubEventSource(): readonly FakeSource[] {
  opened = []
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('BroadcastChannel', SilentChannel)
  return opened
}
