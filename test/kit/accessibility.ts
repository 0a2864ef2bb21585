import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import type { LanguageCode } from '#shared/platform/language.ts'

/** WCAG 2.2, levels A and AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

// Without preloading: axe would read the style sheets anew, against the policy of the page. Without frames: the
// card form belongs to the provider.

const phone = { width: 360, height: 800 }
const desk = { width: 1280, height: 800 }

/** The full run looks at every state in both sizes; the short one on the phone, and in English at the desk. */
const sizesFor = (language: LanguageCode) => {
  if (process.env.TEST_FULL === '1') return [phone, desk]
  return language === 'ar' ? [phone] : [desk]
}

const script: Record<LanguageCode, RegExp> = {
  // A run of letters of the other script; one Latin letter alone is a sign, like the x of a size.
  ar: /\p{Script=Latin}{2,}/u,
  en: /\p{Script=Arabic}+/u,
}

/** What may stand in the other script: the way to the other language, numbers with letters, names that machines read. */
const allowed: Record<LanguageCode, readonly RegExp[]> = {
  ar: [/English/, /\bOD-\d+/g, /\bAWB\b/g, /\bPDF\b/g, /\blang\b/, /[\w.]+@[\w.]+/g],
  en: [/العربية/],
}

export interface Look {
  readonly language: LanguageCode
  /** What people of the test have typed: it stays as it was typed in every language. */
  readonly typed: readonly string[]
}

/** What is wrong with the page in the state it is in, at every size. Empty when nothing is. */
export async function wrongsOf(page: Page, state: string, { language, typed }: Look): Promise<string[]> {
  const wrongs: string[] = []
  for (const size of sizesFor(language)) {
    await page.setViewportSize(size)
    await page.evaluate(motionEnds)
    const { violations } = await new AxeBuilder({ page })
      .options({ runOnly: tags, preload: false, iframes: false })
      .setLegacyMode()
      .analyze()
    for (const { id, help, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        wrongs.push(`${state}, ${size.width} px: ${id} (${help}) at ${target.join(' ')}: ${failureSummary}`)
    const snapshot = await page.locator('body').ariaSnapshot()
    const texts = [await page.title(), ...textsOf(snapshot)]
    for (const text of texts)
      if (isForeign(text, language, typed))
        wrongs.push(`${state}, ${size.width} px: the other language in «${text}»`)
  }
  // The tour goes on as it came, at the desk.
  await page.setViewportSize(desk)
  return wrongs
}

/** Runs in the page: half-faded words have half their contrast. A spinner turns for ever and is not waited for. */
async function motionEnds(): Promise<void> {
  const moving = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(moving.map(({ finished }) => finished))
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
    const plain = line.replace(/^\s*- /, '').replace(/^'(.*)'(:?)$/, '$1$2')
    if (plain.startsWith('/url:')) return []
    if (plain.startsWith('/placeholder:')) return [plain.slice('/placeholder:'.length)]
    const [, , name, text] = entry.exec(plain) ?? [undefined, undefined, plain, undefined]
    return [name ?? '', text ?? ''].filter((each) => each !== '')
  })
}
