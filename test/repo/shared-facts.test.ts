import { describe, expect, it } from 'vitest'
import { createOtpState } from '#mock/otp/otp.state.ts'
import { createClock } from '#mock/platform/clock.ts'
import { colours } from '#server/features/receipts/receipts.colours.ts'
import { vatPercent } from '#shared/checkout/checkout.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { codeLength } from '#shared/platform/code-length.ts'
import { riyadhOffsetMs } from '#shared/platform/instant.ts'
import { locationsOf, readRepoFile, repoFiles, testFile } from '#test/kit/repo-files.ts'

/** Facts that two apps state, because they share no code beyond the contract, or that a text has to repeat. */

const code = ['server', 'client', 'shared', 'mock-partner', 'scripts'].flatMap((folder) =>
  repoFiles(folder, /\.(tsx?|mjs)$/, testFile),
)
const found = (pattern: RegExp, except: readonly string[] = []) =>
  code.filter((path) => !except.includes(path)).flatMap((path) => locationsOf(path, pattern))

it('VAT is the rate in the cited source', () => {
  expect(readRepoFile('docs/wires/shipping.md')).toContain(`VAT is ${vatPercent} %`)
})

it('a colour on paper is that of the token with its name, in the light scheme', () => {
  const [light = ''] = readRepoFile('client/ui/tokens.css').split('@media')
  expect(Object.keys(colours).length).toBeGreaterThan(5)
  for (const [token, colour] of Object.entries(colours)) expect(light).toContain(`--${token}: ${colour};`)
})

describe('an order number', () => {
  const prefix = orderNumber('')

  it('has the same prefix in everything operators read', () => {
    const written = found(/\b[A-Z]{2,3}-(?=\$\{(?:\w+\.)?(?:id|order_id|orderId|firstOrder)\})/)
    expect(written.length).toBeGreaterThan(0)
    expect(written.filter((location) => !location.endsWith(` ${prefix}`))).toEqual([])
  })

  it('has the same prefix in everything operators type', () => {
    const read = found(/(?<=\^(?:\(\?:)?)[A-Z]{2,3}-/)
    expect(read.filter((location) => !location.endsWith(` ${prefix}`))).toEqual([])
  })
})

it('dates and times of pages are formatted by one module', () => {
  const others = found(/\bIntl\.(?:DateTime|RelativeTime)Format\b|\.toLocale(?:Date|Time)?String\(/, [
    'client/platform/dates.ts',
  ])
  expect(others.filter((location) => location.startsWith('client/'))).toEqual([])
})

describe('the offset of Riyadh', () => {
  it('is written once', () => {
    const literals = /\b3 \* (?:60 \* 60|3_?600)|\b10_?800_?000\b|(['"])\+03:00\1/
    expect(found(literals, ['shared/platform/instant.ts'])).toEqual([])
  })

  it.each(['2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z'])('is that of its time zone on %s', (time) => {
    const hour = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Riyadh', hour: 'numeric', hourCycle: 'h23' })
    expect(Number(hour.format(new Date(time))) * 3_600_000).toBe(riyadhOffsetMs)
  })
})

describe('the length of a code', () => {
  const words: Readonly<Record<number, RegExp>> = { 4: /\b(?:4|four)\b|أربعة/, 6: /\b(?:6|six)\b|ستة/ }

  it.each(['ar', 'en'])('is what the %s texts say', (language) => {
    const texts = Object.values<unknown>(
      JSON.parse(readRepoFile(`client/features/sessions/sessions.${language}.json`)),
    )
      .flatMap((group) => (typeof group === 'object' && group !== null ? Object.values(group) : [group]))
      .filter((text) => typeof text === 'string')
      .filter((text) => /\bcode\b.*\bdigits\b|-digit\b|رمز.*أرقام/.test(text))
    expect(texts.length).toBeGreaterThan(1)
    const word = words[codeLength] ?? /a word for this length is missing here/
    expect(texts.filter((text) => !word.test(text))).toEqual([])
  })

  it('is that of the codes the simulator sends', () => {
    const state = createOtpState({ clock: createClock(), services: { VA: 'user' }, deliver: () => undefined })
    state.send('VA', { to: '+966512345678', channel: 'sms', locale: 'ar' })
    expect(state.inbox()[0]?.code).toMatch(new RegExp(`^\\d{${codeLength}}$`))
  })
})
