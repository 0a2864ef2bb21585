import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { LanguageCode } from '#shared/platform/language.ts'
import { isFull } from '../basics/full-run.ts'

/** WCAG 2.2, levels A and AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const phone = { width: 360, height: 800 }
const desktop = { width: 1280, height: 800 }

/** The short run checks every state on the phone only. */
const sizes = isFull ? [phone, desktop] : [phone]

const script: Record<LanguageCode, RegExp> = {
  // A run of letters of the other script. A single Latin letter is allowed, like the x of a size.
  ar: /\p{Script=Latin}{2,}/u,
  en: /\p{Script=Arabic}+/u,
}

/** What may be in the other script: the language switch, numbers with letters, technical names, marks of cards. */
const allowed: Record<LanguageCode, readonly RegExp[]> = {
  ar: [
    /English/,
    /\bOD-\d+/g,
    /\bCL-\d+/g,
    /\bAWB\b/g,
    /\b(PDF|SMS)\b/g,
    // Cookies.
    /\b(lang|role)\b/,
    // The version of the terms.
    /\b[0-9a-f]{16}\b/g,
    /https?:\/\/\S+/g,
    /[\w.]+@[\w.]+/g,
    /\b[A-Z]{2}(?= \+\d)/g,
    /\b(mada|Visa|Mastercard|Paymob|Google|Apple|Mozilla|Microsoft|3-D Secure)\b/g,
  ],
  en: [/العربية/],
}

export interface Look {
  readonly language: LanguageCode
  /** What the test has typed, which every language shows as typed. */
  readonly typed: readonly string[]
}

/**
 * What axe finds on the page as it is. Without preloading: axe would fetch the style sheets, which the content policy
 * forbids. Without frames: the card form belongs to the provider.
 */
export async function axeWrongsOf(page: Page, state: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: tags, preload: false, iframes: false })
    .setLegacyMode()
    .analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${state}: ${id} (${help}) at ${target.join(' ')}: ${failureSummary}`,
    ),
  )
}

/** The faults of the page in its present state, at every size; empty when there are none. */
export async function wrongsOf(page: Page, state: string, { language, typed }: Look): Promise<string[]> {
  const wrongs: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.evaluate(motionEnds)
    // What scrolls below a sticky bar is covered only until the user scrolls on; axe takes it for covered.
    const bars = await page.evaluateHandle(restInTheirPlaces)
    wrongs.push(...(await axeWrongsOf(page, `${state}, ${size.width} px`)))
    await bars.evaluate((all) => {
      for (const { style } of all) style.position = style.inset = ''
    })
    const snapshot = await page.locator('body').ariaSnapshot()
    const texts = [await page.title(), ...textsOf(snapshot)]
    for (const text of texts)
      if (isForeign(text, language, typed))
        wrongs.push(`${state}, ${size.width} px: the other language in «${text}»`)
  }
  return wrongs
}

/** Runs in the page: waits for animations, since half-faded text has half its contrast. A spinner never ends and is skipped. */
async function motionEnds(): Promise<void> {
  const moving = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(moving.map(({ finished }) => finished))
}

/** Runs in the page: sticky elements scroll with the page. Returns them; none has these two styles of its own. */
function restInTheirPlaces(): HTMLElement[] {
  const sticky = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (element) => getComputedStyle(element).position === 'sticky',
  )
  for (const { style } of sticky) {
    style.position = 'relative'
    style.inset = 'auto'
  }
  return sticky
}

export function isForeign(text: string, language: LanguageCode, typed: readonly string[]): boolean {
  const withoutTyped = typed.reduce((rest, each) => rest.replaceAll(each, ''), text)
  const rest = allowed[language].reduce((left, pattern) => left.replace(pattern, ''), withoutTyped)
  return script[language].test(rest)
}

const entry = /^([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[[^\]]*\])*(?::\s*(.*))?$/

/** Names and texts of an accessibility tree, without roles, states and addresses. */
export function textsOf(snapshot: string): string[] {
  return snapshot.split('\n').flatMap((line) => {
    // A name with a colon makes the entry a quoted key.
    const plain = line.replace(/^\s*- /, '').replace(/^'(.*?)'(:.*)?$/, '$1$2')
    if (plain.startsWith('/url:')) return []
    if (plain.startsWith('/placeholder:')) return [plain.slice('/placeholder:'.length)]
    const [, , name, text] = entry.exec(plain) ?? [undefined, undefined, plain, undefined]
    return [name ?? '', text ?? ''].filter((each) => each !== '')
  })
}
