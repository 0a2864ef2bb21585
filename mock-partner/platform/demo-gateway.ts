/** The calls of a gateway in MODE=demo that change it together with the simulator. */
export interface DemoGateway {
  reset(): Promise<void>
  /** @param aheadMs how far ahead of real time its clock is from now on. */
  setClock(aheadMs: number): Promise<void>
}

/** Longer than the gateway's own calls may take: it lets them end before it changes its database. */
const timeoutMs = 60_000

/**
 * @param url of the gateway, without a slash at the end.
 * @param key its DEMO_CONTROL_KEY.
 */
export function createDemoGateway(url: string, key: string): DemoGateway {
  /** @throws Error that says what the gateway answered, or that it did not. */
  async function ask(path: string, body: object = {}): Promise<void> {
    let answer: Response
    let text: string
    try {
      answer = await fetch(`${url}/api/demo${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-demo-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      text = await answer.text()
    } catch (error) {
      const { cause, message } = error as Error
      throw new Error(`it does not answer at ${url} (${cause instanceof Error ? cause.message : message})`)
    }
    if (!answer.ok) throw new Error(`it answered ${answer.status} at ${url}: ${text.slice(0, 300)}`)
  }

  return {
    reset: () => ask('/reset'),
    setClock: (aheadMs) => ask('/clock', { aheadMs }),
  }
}
