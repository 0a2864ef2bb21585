import { expect, it } from 'vitest'
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
