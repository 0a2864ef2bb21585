import { expect, it } from 'vitest'
import { codeLength } from '#shared/platform/code-length.ts'
import { languages } from '#shared/platform/language.ts'
import { bindingLifeMs, deviceLifeMs, sessionLife } from '#shared/sessions/session-lives.ts'
import { readRepoFile } from '#test/kit/repo-files.ts'

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

/** Numbers of digits as the texts write them; a new language needs its words here. */
const digitWords: Readonly<Record<string, Readonly<Record<number, RegExp>>>> = {
  ar: { 4: /أربعة أرقام/, 5: /خمسة أرقام/, 6: /ستة أرقام/ },
  en: { 4: /(four|4)-digit|four digits/, 5: /(five|5)-digit|five digits/, 6: /(six|6)-digit|six digits/ },
}

it.each(Object.keys(languages))('the texts of sign-in name the length of a code, in %s', (language) => {
  const texts = readRepoFile(`client/features/sessions/sessions.${language}.json`).split('\n')
  const naming = texts.filter((text) => /digit|أرقام/.test(text))
  expect(naming.length).toBeGreaterThan(2)
  for (const text of naming)
    expect(text).toMatch(digitWords[language]?.[codeLength] ?? 'no words for this length')
})
