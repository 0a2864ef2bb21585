import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { defaultLanguage, type LanguageCode, languageCookie, languages } from '#shared/platform/language.ts'
import { patienceMs } from '../basics/patience.ts'
import { findOnPath, findOrInstall, install, isExecutable } from '../programs/programs.ts'
import { startFirefox, typeByBrowser } from './firefox.ts'

const launchFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Takes a third to a half of Chromium's processor time; it has no camera and asks for no permissions. */
const shell = 'chromium-headless-shell'
const windowed = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/**
 * The path of Chromium: $CHROMIUM_PATH, the PATH or Playwright's own; as root on Debian it is installed when missing.
 * The headless shell first, unless a window is needed.
 * @throws an error that names what to install: journeys are not skipped without a browser.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env, needsWindow = false): string {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error('CHROMIUM_PATH does not lead to a program that can be run.')
  }
  const names = needsWindow ? windowed : [shell, ...windowed]
  // Until the page's own fonts arrive it is shown in one that phones and desktops have, and a bare Debian has not.
  if (!existsSync('/usr/share/fonts/truetype/liberation')) install('fonts-liberation')
  const found = findOnPath(env, names)
  if (found !== undefined) return found
  const own = chromium.executablePath()
  if (own !== '' && isExecutable(own)) return own
  const installed = findOrInstall(env, names)
  if (installed !== undefined) return installed
  throw new Error(
    'The journeys need Chromium and there is none. Install it (Debian: apt-get install chromium-headless-shell chromium; anywhere: ' +
      'npx playwright-core install chromium) or set CHROMIUM_PATH to one.',
  )
}

export interface Visit {
  readonly page: Page
  /** Another page of the same browser, watched like the first one. */
  openPage(): Promise<Page>
  /** The language at the start. */
  readonly language: LanguageCode
  /** Expects failed responses, which the browser writes to the console. */
  expectAnswer(status: number, path: RegExp): void
  /** Expects messages in the console and uncaught errors. */
  expectConsole(words: RegExp): void
  /** Ends the visit. @throws with all faults of its pages. */
  close(): Promise<void>
}

export interface VisitOptions {
  /** Of the cookie at the start; none when left out. */
  readonly language?: LanguageCode
  /** Of a phone by default. */
  readonly width?: 390 | 1280
  /** An IANA name, as of the phone's settings. */
  readonly timeZone?: string
  /** Of the program that is visited, in place of the site's own. */
  readonly url?: string
}

export interface Visits {
  /** A new browser context for the program at `url`. */
  open(options: VisitOptions & { url: string }): Promise<Visit>
  close(): Promise<void>
}

interface VisitsOptions {
  /** A film (test/kit/browser/film.ts) that its camera shows, read anew whenever the camera is opened. */
  readonly camera?: string
  /** Not in the headless shell, which has no permissions to ask for. By default with a camera. */
  readonly hasWindow?: boolean
  /** In place of Chromium: Firefox. It has no phones: no touch, and motion as the machine has it. */
  readonly isFirefox?: boolean
}

/** Starts the browser. */
export async function startVisits({
  camera,
  hasWindow = camera !== undefined,
  isFirefox = false,
}: VisitsOptions = {}): Promise<Visits> {
  const cameraFlags =
    camera === undefined
      ? []
      : ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`]
  const browser: Browser = isFirefox
    ? await startFirefox()
    : await chromium.launch({
        executablePath: findChromium(process.env, hasWindow),
        args: [...launchFlags, ...cameraFlags],
        timeout: patienceMs,
      })
  const open = new Set<BrowserContext>()
  return {
    async open({ url, language, width = 390, timeZone }) {
      const context = await browser.newContext({
        viewport: width === 390 ? { width, height: 844 } : { width, height: 800 },
        deviceScaleFactor: 1,
        ...(!isFirefox && { hasTouch: width === 390, isMobile: width === 390, reducedMotion: 'reduce' }),
        ...(timeZone !== undefined && { timezoneId: timeZone }),
        baseURL: url,
        acceptDownloads: true,
      })
      open.add(context)
      if (isFirefox) await typeByBrowser(context)
      context.setDefaultTimeout(patienceMs)
      if (language !== undefined)
        await context.addCookies([{ name: languageCookie.name, value: language, url }])
      const watch: Watch = { wrongs: [], expected: [], expectedWords: [] }
      const { wrongs, expected, expectedWords } = watch
      const page = await watchedPage(context, url, watch)
      return {
        page,
        openPage: () => watchedPage(context, url, watch),
        language: language ?? defaultLanguage,
        expectAnswer: (status, path) => expected.push({ status, path }),
        expectConsole: (words) => expectedWords.push(words),
        async close() {
          for (const open of context.pages()) wrongs.push(...(await open.evaluate(layoutWrongs, directions)))
          open.delete(context)
          await context.close()
          if (wrongs.length > 0) throw new Error(`the pages were not in order:\n  ${wrongs.join('\n  ')}`)
        },
      }
    },
    async close() {
      await Promise.all([...open].map((context) => context.close()))
      await browser.close()
    },
  }
}

/** Waits until the app has taken the place of the served page; not for a visitor on a page that works without it. */
export async function appHasStarted(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const served = document.getElementById('served')
    const isVisitor = document.documentElement.dataset.role === undefined
    const isThere = document.querySelector('main h1') !== null
    return isThere && (served === null || (served.dataset.waits !== undefined && isVisitor))
  })
}

/**
 * Waits until the service worker is installed and controls the page. A network that goes while the worker is being
 * registered is an error in the console; later it is none.
 */
export async function workerIsReady(page: Page): Promise<void> {
  const isControlled = await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    while (active !== null && active.state !== 'activated')
      await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }))
    return navigator.serviceWorker.controller !== null
  })
  // A page that was loaded while the worker took over is controlled from its next load.
  if (!isControlled) await page.reload()
}

const brokenStream = /^Failed to load resource: net::/
const failedAnswer = /^Failed to load resource: the server responded with a status of (\d+)/

/** The faults of all pages of a visit, and what is none. */
interface Watch {
  readonly wrongs: string[]
  readonly expected: { status: number; path: RegExp }[]
  readonly expectedWords: RegExp[]
}

async function watchedPage(
  context: BrowserContext,
  url: string,
  { wrongs, expected, expectedWords }: Watch,
): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => {
    if (!expectedWords.some((words) => words.test(message))) wrongs.push(`uncaught: ${message}`)
  })
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const status = Number(failedAnswer.exec(message.text())?.[1])
    const path = URL.parse(message.location().url)?.pathname ?? ''
    if (expected.some((answer) => answer.status === status && answer.path.test(path))) return
    // A stream that breaks is opened again by the browser.
    if (path.endsWith('/events') && brokenStream.test(message.text())) return
    if (expectedWords.some((words) => words.test(message.text()))) return
    wrongs.push(`console.${message.type()}: ${message.text()} (${path})`)
  })
  await page.exposeBinding('reportWrong', ({ frame }, wrong: unknown) => {
    const where = URL.parse(frame.url())
    if (frame === page.mainFrame() && where?.origin === url) wrongs.push(`${where.pathname}: ${wrong}`)
  })
  await page.addInitScript(
    `(${keepLooking.toString()})(${layoutWrongs.toString()}, ${JSON.stringify(directions)})`,
  )
  return page
}

const directions = Object.fromEntries(
  Object.values(languages).map(({ code, direction }) => [code, direction]),
)

/** Runs in the page: the present faults of its language, direction and width. */
function layoutWrongs(directionOf: Record<string, string>): string[] {
  const { lang, dir, scrollWidth, clientWidth } = document.documentElement
  const chosen = /(?:^|; )lang=(\w+)/.exec(document.cookie)?.[1] ?? 'ar'
  const wrongs: string[] = []
  if (lang !== chosen) wrongs.push(`lang is ${lang}, chosen is ${chosen}`)
  if (dir !== directionOf[lang]) wrongs.push(`dir is ${dir} while lang is ${lang}`)
  if (scrollWidth > clientWidth + 1) wrongs.push(`${scrollWidth} px wide on a screen of ${clientWidth} px`)
  return wrongs
}

/** Runs in the page from its start: reports a fault seen in two consecutive polls, so that an animation is not one. */
function keepLooking(look: typeof layoutWrongs, directionOf: Record<string, string>): void {
  // An empty page has no cookies to ask for.
  if (window.top !== window || location.protocol === 'about:') return
  const report = (window as unknown as { reportWrong(wrong: string): void }).reportWrong
  const reported = new Set<string>()
  let before: string[] = []
  setInterval(() => {
    // On a busy machine an animation lasts longer than two polls.
    const isMoving = document
      .getAnimations()
      .some(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    // Paper has another width than the screen.
    if (document.readyState !== 'complete' || isMoving || matchMedia('print').matches) return
    const now = look(directionOf)
    for (const wrong of now) {
      if (!before.includes(wrong) || reported.has(wrong)) continue
      reported.add(wrong)
      report(wrong)
    }
    before = now
  }, 250)
}
