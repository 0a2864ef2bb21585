import type { World } from './world.types.ts'

/** What a person's phone got; undefined where no answer came. */
export interface Seen {
  readonly status: number
  /** Parsed, or undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: a person reads what is shown
  readonly json: any
}

/** A browser with its cookies. */
export function newPhone(world: World, who: string) {
  const cookies = new Map<string, string>()

  function keep(header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const isOver = attributes.some((one) => /^max-age=(0|-)/i.test(one))
    if (isOver || pair.length === at + 1) cookies.delete(pair.slice(0, at))
    else cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }

  return {
    cookies,
    async call(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Seen | undefined> {
      try {
        const answer = await world.ask(who, {
          method,
          path,
          headers: {
            host: 'localhost:8080',
            'sec-fetch-site': 'same-origin',
            ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          body: body === undefined ? undefined : JSON.stringify(body),
        })
        for (const header of [answer.headers['set-cookie'] ?? []].flat()) keep(header)
        const text = answer.bytes.toString()
        return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : undefined }
      } catch {
        return undefined
      }
    },
  }
}
export type Phone = ReturnType<typeof newPhone>
