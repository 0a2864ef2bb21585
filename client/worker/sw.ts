import { defaultLanguage, isLanguageCode, languageCookie, languages } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { notificationOf, ownPage } from './notification.rules.ts'
import { handlingOf, patienceFor, storedPageOf } from './worker.rules.ts'
import type { Offline, ToWorker } from './worker.types.ts'

/*
 * The service worker. It stores public files only: documents without a session, and hashed files. What belongs to a
 * person is stored by the page (entities/order/kept-orders.ts).
 */

/** Replaced by the build (worker.plugin.ts). */
declare const __OFFLINE__: Offline
const { release, orderPages, files, rareFiles } = __OFFLINE__

const storePrefix = 'app-'
const storeName = storePrefix + release

// The types of a worker's scope and those of a window exclude each other in one program.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
interface PushEvent extends ExtendableEvent {
  readonly data: { text(): string } | null
}
interface NotificationClickEvent extends ExtendableEvent {
  readonly notification: Notification
}
interface PageClient {
  readonly url: string
  focus(): Promise<unknown>
}
interface WorkerScope {
  readonly location: Location
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification'>
  readonly clients: {
    claim(): Promise<void>
    matchAll(of: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<PageClient[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly cookieStore?: { get(name: string): Promise<{ readonly value?: string } | null> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', run: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', run: (event: FetchEvent) => void): void
  addEventListener(type: 'push', run: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', run: (event: NotificationClickEvent) => void): void
  addEventListener(type: 'message', run: (event: ExtendableMessageEvent) => void): void
}
type ExtendableMessageEvent = ExtendableEvent & {
  readonly data: ToWorker
  readonly ports: readonly MessagePort[]
}
const worker = globalThis as unknown as WorkerScope

worker.addEventListener('install', (event) => event.waitUntil(install()))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))
worker.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(worker.skipWaiting())
  // Files that could not be loaded are requested again with the next document.
  else if (event.data === 'keep-scanner')
    event.waitUntil(keepDocuments(pages.agentScan).catch(() => undefined))
  else event.ports[0]?.postMessage(release)
})
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const handling = handlingOf(request, worker.location.origin)
  if (handling === 'asset') event.respondWith(assetOf(event))
  if (handling === 'document') event.respondWith(documentOf(request))
})

worker.addEventListener('push', (event) => {
  const { title, options } = notificationOf(event.data?.text(), worker.location.origin)
  event.waitUntil(worker.registration.showNotification(title, options))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showPage(ownPage(event.notification.data?.url, worker.location.origin)))
})

/** Pages at other addresses stay as they are: something may be half typed there. */
async function showPage(url: string): Promise<void> {
  const shown = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = shown.find((client) => client.url === url)
  await (page === undefined ? worker.clients.openWindow(url) : page.focus())
}

/** The install fails if one file fails: a release that is not stored whole does not replace the one before. */
async function install(): Promise<void> {
  const store = await caches.open(storeName)
  await Promise.all([
    // A file that did not change since the release before is not loaded again.
    ...files.map(async (file) => store.put(file, (await stored(file)) ?? (await loaded(new Request(file))))),
    ...rareFiles.map(async (file) => {
      const known = await stored(file)
      if (known !== undefined) await store.put(file, known)
    }),
    keepDocuments(pages.orders),
  ])
  // An agent has used this browser: the new release opens the scanner without a network, too.
  const [language = defaultLanguage] = Object.keys(languages)
  if ((await stored(keyOf(pages.agentScan, language))) !== undefined) await keepDocuments(pages.agentScan)
}

/** In any release. */
const stored = (key: string) => caches.match(key, { ignoreVary: true })

/** Stores the documents of a page in each language. Documents that this release has stored already are kept. */
async function keepDocuments(page: string): Promise<void> {
  const store = await caches.open(storeName)
  await Promise.all(
    Object.keys(languages).map(async (language) => {
      const key = keyOf(page, language)
      if ((await store.match(key, { ignoreVary: true })) === undefined)
        await store.put(key, await loadedDocument(page, language))
    }),
  )
}

async function activate(): Promise<void> {
  const names = await caches.keys()
  const outdated = names.filter((name) => name.startsWith(storePrefix) && name !== storeName)
  await Promise.all(outdated.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** One document serves many pages: the router reads the address. Stored with its headers, so with its own policy. */
function keyOf(page: string, language: string): string {
  return `${page}?document=${language}`
}

/** Loaded without cookies, so the language is that of the request, and no choice of the user is changed. */
async function loadedDocument(page: string, language: string): Promise<Response> {
  const response = await loaded(
    new Request(`${page}?${languageCookie.name}=${language}`, {
      credentials: 'omit',
      cache: 'reload',
      headers: { accept: 'text/html', 'accept-language': language },
    }),
  )
  // During a roll-out another gateway may still serve the release before, whose files are not in this store.
  if (!(await response.clone().text()).includes(release))
    throw new Error('the document is of another release')
  return response
}

async function loaded(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (!response.ok || response.redirected) throw new Error(`${request.url} answered ${response.status}`)
  return response
}

/** A full phone or a failed storage stores nothing; the page still gets its answer. */
const notStored = () => undefined

async function assetOf(event: FetchEvent): Promise<Response> {
  const { request } = event
  const known = await caches.match(request, { ignoreVary: true }).catch(notStored)
  if (known !== undefined) return known
  const response = await fetch(request)
  if (response.ok) event.waitUntil(storeAsset(request, response.clone()).catch(notStored))
  return response
}

async function storeAsset(request: Request, response: Response): Promise<void> {
  const store = await caches.open(storeName)
  await store.put(request, response)
}

/** The server's document; the stored one when the server does not answer in time, fails, or cannot be reached. */
async function documentOf(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const stored = await storedDocument(storedPageOf(pathname)).catch(notStored)
  if (stored === undefined) return fetch(request)
  const answer = fetch(request).then(
    (response) => (response.status >= 500 ? stored : response),
    () => stored,
  )
  const isLate = new Promise((resolve) => setTimeout(resolve, patienceFor(pathname, orderPages)))
  return Promise.race([answer, isLate.then(() => stored)])
}

async function storedDocument(page: string): Promise<Response | undefined> {
  const chosen = (await worker.cookieStore?.get(languageCookie.name))?.value
  const store = await caches.open(storeName)
  return store.match(keyOf(page, isLanguageCode(chosen) ? chosen : defaultLanguage), { ignoreVary: true })
}
