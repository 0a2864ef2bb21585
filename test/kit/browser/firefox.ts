import { type Browser, type BrowserContext, firefox } from 'playwright-core'
import { patienceMs } from '../basics/patience.ts'
import { findOrInstall } from '../programs/programs.ts'

/** What Playwright sends for every context and Firefox ESR does not know yet: the colour scheme and the like stay its own. */
const unknownToEsr = 'emulation.setMediaFeaturesOverride'

/** The parts of Playwright's connection to a browser that are changed here. */
interface Inside {
  readonly _connection: {
    toImpl(browser: Browser): { readonly _connection: { readonly _transport: Transport } }
  }
}
interface Transport {
  send(message: { readonly id: number; readonly method: string }): void
  onmessage(message: { readonly id: number; readonly type: 'success'; readonly result: object }): void
}

/**
 * Starts the Firefox of the machine, driven by WebDriver BiDi: $FIREFOX_PATH or the PATH; as root on Debian it is installed
 * when missing.
 */
export async function startFirefox(env: NodeJS.ProcessEnv = process.env): Promise<Browser> {
  const executablePath = env.FIREFOX_PATH ?? findOrInstall(env, ['firefox-esr', 'firefox'])
  if (executablePath === undefined)
    throw new Error(
      'Firefox is missing. Install it (Debian: apt-get install firefox-esr) or set FIREFOX_PATH.',
    )
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, timeout: patienceMs })
  const { _transport: transport } = (browser as unknown as Inside)._connection.toImpl(browser)._connection
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    if (message.method !== unknownToEsr) return send(message)
    queueMicrotask(() => transport.onmessage({ id: message.id, type: 'success', result: {} }))
  }
  return browser
}

/**
 * Playwright fills a field of Firefox by its `value`, which React takes for its own change. Here the browser types, and says so
 * by its own event.
 */
export async function typeByBrowser(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const type = (text: string) => {
      const { activeElement } = document
      if (activeElement instanceof HTMLIFrameElement) return activeElement
      document.execCommand('insertText', false, text)
      return undefined
    }
    // Not replaced by Playwright's, whichever comes first.
    Object.defineProperty(window, '__pw_bidiInsertText', { get: () => type, set: () => undefined })
  })
}
