import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { errors } from '#shared/errors.ts'
import { languages } from '#shared/platform/language.ts'
import { bindingLifeMs, deviceLifeMs, sessionLife } from '#shared/sessions/session-lives.ts'
import { readRepoFile, repoFiles } from '#test/kit/repo/repo-files.ts'

const hour = 3_600_000
const day = 24 * hour

/** A duration as the texts write it: `7 days`, `one hour`, `30 يومًا`. */
function inWords(ms: number, language: string): string {
  const [value, unit] = ms % day === 0 ? [ms / day, 'day'] : [ms / hour, 'hour']
  const format = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(value).replace(/^1 /, 'one ')
}

const { user, agent } = sessionLife

it.each([
  ['session', [user.idleMs, user.absoluteMs, agent.idleMs, agent.absoluteMs]],
  ['browser', [bindingLifeMs]],
  ['known', [deviceLifeMs]],
])('the privacy page states how long the %s cookie is kept, in every language', (text, lives) => {
  for (const { code } of Object.values(languages)) {
    const { device } = JSON.parse(readRepoFile(`client/features/privacy/privacy.${code}.json`))
    for (const life of lives) expect(device[text]).toContain(inWords(life, code))
  }
})

/** Words that readers took for another thing (the second edition of the texts). */
const refusedWords: Readonly<Record<string, readonly RegExp[]>> = {
  // "Ready to be delivered to you"; the carrier beside the partner; "he received" as an order; the bank card; a hashtag.
  ar: [/جاهزة للتسليم/, /شركة الشحن/, /^استلم$/, /بطاقة/, /(?:^|[\s«])(?:ال)?وسم/],
  // The document is the airway bill: one word per thing.
  en: [/\bcourier/i, /\bpass\b/i, /\blabels?\b/i, /money was returned/i],
}
/** Where the card that pays is meant, and where staff read of the file of an airway bill (docs/glossary.md). */
const exceptions = [
  {
    word: /بطاقة/,
    files:
      /\/(payment|checkout|cancel-order|refund-note|purchase|privacy|desk-actions)\.ar\.|desk\/orders\/locales\/ar\./,
  },
  { word: /\blabels?\b/i, files: /^client\/desk\// },
]
/** Three dots are one character, except in what the specification quotes (2.48, 8.19). */
const quoted = ['Processing...', 'Redirecting to payment gateway...']

function expectPlain(text: string, language: string, file: string): void {
  for (const word of refusedWords[language] ?? []) {
    const isMeant = exceptions.some((one) => String(one.word) === String(word) && one.files.test(file))
    if (!isMeant) expect(text).not.toMatch(word)
  }
  if (!quoted.includes(text)) expect(text).not.toContain('...')
}

it('the texts of errors have no such word', () => {
  for (const { text } of Object.values(errors))
    for (const [language, said] of Object.entries(text)) expectPlain(said, language, 'shared/errors.ts')
})

/** Latin letters in an Arabic sentence belong to a name that is written so. */
const latinNames =
  /PDF|CSV|SMS|WhatsApp|Google|Safari|iPhone|iPad|Apple|Mozilla|Microsoft|mada|Visa|Mastercard|3-D Secure|Service Workers?/g

const catalogues = [
  ...repoFiles('client', /\.(ar|en)\.json$/),
  ...repoFiles('server', /\/locales\/(ar|en)\.json$/),
]
it.each(catalogues)('%s has no word that is read as another', (file) => {
  const name = basename(file)
  const language = name.split('.').at(-2) ?? ''
  for (const text of textsIn(JSON.parse(readRepoFile(file)))) {
    expectPlain(text, language, file)
    // The privacy page names cookies.
    if (language === 'ar' && !name.startsWith('privacy.'))
      expect(text.replace(/\{\{.*?\}\}/g, '').replace(latinNames, '')).not.toMatch(/[A-Za-z]{2}/)
  }
})

function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn)
}
