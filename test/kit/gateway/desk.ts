import { demoPassword } from '#mock/identity/identity.people.ts'
import { deskSignInPath } from '#shared/desk/staff/staff.operations.ts'
import { newPerson, type Person } from './person.ts'

/** What a person does at the simulated identity provider. */
export type AtProvider = { readonly as: string; readonly password?: string } | 'cancels' | 'is known'

export interface SignInWish {
  readonly next?: string
  readonly again?: boolean
}

/** A browser at the desk: its cookies at the gateway, and those at the identity provider. */
export interface DeskBrowser {
  readonly person: Person
  /** The way to the provider: where the gateway sends the browser. */
  begin(wish?: SignInWish): Promise<string>
  /** From the provider's address to that of the callback. */
  answer(address: string, does: AtProvider): Promise<string>
  /** The callback; where the gateway sends the browser then. */
  comeBack(callback: string): Promise<string>
  /** Those of the provider, as a header. */
  providerCookies(): string
  /** The `Set-Cookie` lines of the gateway's last step. */
  lastCookies(): readonly string[]
  /** All of it. Resolves with the page of the desk. */
  signIn(does: AtProvider, wish?: SignInWish): Promise<string>
}

export function newDeskBrowser(
  stack: Parameters<typeof newPerson>[0],
  { browserOf }: { readonly browserOf?: Person } = {},
): DeskBrowser {
  const person = newPerson(stack, { lang: 'en', ...(browserOf && { browserOf }) })
  const kept = new Map<string, string>()
  let last: readonly string[] = []
  const providerCookies = () => [...kept].map(([name, value]) => `${name}=${value}`).join('; ')

  /** A page of the provider. */
  async function visit(address: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(address, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: providerCookies() },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') kept.delete(name)
      else kept.set(name, value)
    }
    return response
  }

  const locationOf = (headers: Headers, address: string) =>
    new URL(headers.get('location') ?? '', address).href

  /** Where the provider's redirects end: at one of its pages, or at another host. */
  async function follow(address: string, first?: Response): Promise<string> {
    const { host } = new URL(address)
    let at = address
    let response = first
    while (new URL(at).host === host) {
      response ??= await visit(at)
      const form = response.status === 200 ? formThatSendsItself(await response.clone().text()) : undefined
      if (form !== undefined) {
        at = form.action
        response = await visit(at, form.fields)
        continue
      }
      if (response.status < 300 || response.status >= 400) return at
      at = locationOf(response.headers, at)
      response = undefined
    }
    return at
  }

  async function send(path: string): Promise<string> {
    const { status, headers, json } = await person.send('GET', path, {
      headers: { 'sec-fetch-site': 'none' },
    })
    if (status !== 302) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`)
    last = headers.getSetCookie()
    return headers.get('location') ?? ''
  }

  const browser: DeskBrowser = {
    person,
    providerCookies,
    lastCookies: () => last,
    begin({ next, again = false } = {}) {
      const query = new URLSearchParams({ ...(next !== undefined && { next }), ...(again && { again: '1' }) })
      return send(`${deskSignInPath}?${query}`)
    },
    async answer(address, does) {
      const page = await follow(address)
      if (does === 'is known') return page
      const { origin, pathname } = new URL(page)
      if (!pathname.includes('/interaction/')) throw new Error(`the provider asks nothing, it is at ${page}`)
      const [step, form] =
        does === 'cancels'
          ? (['abort', {}] as const)
          : (['login', { person: does.as, password: does.password ?? demoPassword }] as const)
      const submitted = `${origin}${pathname}/${step}`
      return follow(submitted, await visit(submitted, form))
    },
    comeBack(callback) {
      const { pathname, search } = new URL(callback)
      return send(pathname + search)
    },
    async signIn(does, wish) {
      const address = await browser.begin(wish)
      if (address.startsWith('/')) return address
      return browser.comeBack(await browser.answer(address, does))
    },
  }
  return browser
}

/** Of a page that goes on by itself, as a browser with scripts does. */
function formThatSendsItself(html: string) {
  if (!/\.submit\(\)/.test(html)) return undefined
  const [, action] = /<form[^>]+action="([^"]+)"/.exec(html) ?? []
  const fields = [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  return action === undefined
    ? undefined
    : { action, fields: Object.fromEntries(fields) as Record<string, string> }
}

/** The desk's cookie of a browser. */
export function deskCookieOf({
  person,
}: DeskBrowser): { readonly name: string; readonly token: string } | undefined {
  const [name, token] = [...person.cookies].find(([each]) => /^(?:__Host-desk|desk_\d+)$/.test(each)) ?? []
  return name === undefined || token === undefined ? undefined : { name, token }
}
