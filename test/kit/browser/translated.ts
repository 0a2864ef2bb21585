import type { Page } from 'playwright-core'
import { expect } from './journey.ts'

/** Chrome waits about this long after the load of a page. */
const startsAfterMs = 1_200

/**
 * Translates the documents of a page as Chrome does: each text node leaves the document, and `<font>` elements with another
 * text take its place, from 1.2 seconds after the load on and for all that is added later. Here the other text is the same
 * one behind a blank of no width, which Playwright does not see: people find by the same names.
 */
export async function translate(page: Page): Promise<void> {
  await page.addInitScript(translateHere, startsAfterMs)
}

/**
 * Fails if a text on screen is no longer what React last wrote, or if the page is gone. Waits until the page is translated.
 * @param failure the title of a page that could not be shown
 */
export async function expectWhole(page: Page, failure: string): Promise<void> {
  await page.locator('font font').first().waitFor({ state: 'attached' })
  const stale = await page.evaluate(() => (window as unknown as Translated).staleTexts())
  expect(stale, `old texts at ${page.url()}`).toEqual([])
  expect(await page.getByText(failure, { exact: true }).count(), `failure at ${page.url()}`).toBe(0)
}

interface Translated {
  staleTexts(): string[]
}

/** Runs in the page. */
function translateHere(startsAfter: number): void {
  if (window !== window.top) return
  const untouched = 'script, style, textarea, code, noscript, svg, font, [translate="no"]'
  const replaced: { text: Text; said: string; font: Element }[] = []

  const replace = (text: Text): void => {
    if (text.data.trim() === '' || text.parentElement?.closest(untouched)) return
    const font = document.createElement('font')
    font.append(document.createElement('font'))
    font.firstElementChild?.append(`\u200b${text.data}`)
    replaced.push({ text, said: text.data, font })
    text.replaceWith(font)
  }
  const replaceIn = (node: Node): void => {
    if (node instanceof Text) replace(node)
    else for (const child of [...node.childNodes]) replaceIn(child)
  }
  const follow = ({ target, addedNodes }: MutationRecord): void => {
    for (const node of addedNodes) if (node.isConnected) replaceIn(node)
    if (target instanceof Text && target.isConnected) replace(target)
  }
  const begin = (): void => {
    replaceIn(document.body)
    new MutationObserver((records) => records.forEach(follow)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  }
  window.addEventListener('load', () => setTimeout(begin, startsAfter))

  const page = window as unknown as Translated
  page.staleTexts = () =>
    replaced
      .filter(({ text, said, font }) => font.isConnected && text.data !== said)
      .map(({ text, said }) => `“${said}” in place of “${text.data}”`)
}
