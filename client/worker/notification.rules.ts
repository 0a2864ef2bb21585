import { parseUrl } from '#client/platform/parse-url.ts'
import { pages } from '#shared/platform/pages.ts'

/** A notification as the worker shows it. `url` is the page that a press opens. */
export interface ShownNotification {
  readonly title: string
  readonly options: NotificationOptions & { readonly data: { readonly url: string } }
}

const directions = ['ltr', 'rtl'] as const

/**
 * The notification of a push message in the declarative form (`web_push: 8030`). Something is shown in any case: browsers
 * withdraw the permission of sites that receive a message and show none.
 */
export function notificationOf(message: string | undefined, origin: string): ShownNotification {
  const fields = fieldsOf(message)
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const tag = text('tag')
  const lang = text('lang')
  const dir = directions.find((each) => each === fields.dir)
  return {
    title: text('title') || new URL(origin).host,
    options: {
      body: text('body'),
      data: { url: ownPage(text('navigate'), origin) },
      ...(tag === '' ? {} : { tag }),
      ...(lang === '' ? {} : { lang }),
      ...(dir === undefined ? {} : { dir }),
    },
  }
}

/** A page of this app; the orders for anything else. */
export function ownPage(address: unknown, origin: string): string {
  const url = typeof address === 'string' && address !== '' ? parseUrl(address, origin) : undefined
  return url?.origin === origin ? url.href : new URL(pages.orders, origin).href
}

function fieldsOf(message: string | undefined): Record<string, unknown> {
  try {
    const { notification } = JSON.parse(message ?? '')
    return typeof notification === 'object' && notification !== null ? notification : {}
  } catch {
    return {}
  }
}
