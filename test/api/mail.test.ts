import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeEmail } from '#shared/sessions/emails.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import {
  issuedAwb,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
  withEmail,
} from '#test/builders/pilgrim.builder.ts'
import { minute } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { readScreen } from '#test/kit/browser/pdf.ts'
import { openRows } from '#test/kit/database/rows.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import type { MailView } from '#test/kit/programs/control.ts'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack({ limits: { messageQuietMs: 2_000 } })
})
afterAll(() => stack?.close())

async function pilgrimAt(email: string, lang: 'ar' | 'en' = 'ar'): Promise<Pilgrim> {
  const pilgrim = await signedUpPilgrim(stack, { lang })
  await withEmail(stack, pilgrim, email)
  return pilgrim
}
/** Without the codes. */
const allLettersTo = async (email: string) =>
  (await stack.control.mails(email)).filter(({ by }) => by === 'smtp')
/** Also without the one that the address was added. */
const lettersTo = async (email: string) =>
  (await allLettersTo(email)).filter(({ text }) => !text.includes('/email-stop/'))
const letter = (email: string): Promise<MailView> =>
  eventually(async () => (await lettersTo(email))[0], { withinMs: 30_000 })
const emailOf = async ({ person }: Pilgrim) => {
  const own = await person.call(readUserSession)
  return own.success ? own.email : undefined
}
const stateOf = async ({ user }: Pilgrim, kind = 'documents') => {
  const rows = openRows(stack)
  try {
    const [row] = await rows.read(
      sql<{ phone: string; state: string; lease: string | null }>`
        select phone, state, lease from messages where user_id = ${user.id} and kind = ${kind} and body <> ''`,
    )
    return row
  } finally {
    await rows.close()
  }
}

describe('a paid order of an account with an address', () => {
  it.each([
    ['ar', 'rtl', /^باركود حقيبتك إلى \S.*، الطلب OD-(\d+)$/],
    ['en', 'ltr', /^Your barcode to \S.*, order OD-(\d+)$/],
  ] as const)(
    'is told once by a letter in %s, with receipt and barcode',
    async (lang, direction, subject) => {
      const email = `${lang}@example.com`
      const pilgrim = await pilgrimAt(email, lang)
      const orderId = await paidOrder(stack, pilgrim)
      const awb = await issuedAwb(pilgrim.person, orderId)
      const mail = await letter(email)
      expect(subject.exec(mail.subject)?.[1]).toBe(String(orderId))
      expect(mail.text).toContain(awb)
      expect(mail.text).toContain(`/orders/${orderId}`)
      expect(mail.html).toContain(`<html lang="${lang}" dir="${direction}">`)
      const shown = [...mail.html.matchAll(/src="cid:([^"]+)"/g)].map(([, cid]) => cid)
      expect(new Set(shown)).toEqual(new Set(mail.pictures.map(({ cid }) => cid)))
      const bars = mail.pictures.find(({ cid }) => cid.startsWith('barcode'))
      expect(await readScreen(Buffer.from(bars?.base64 ?? '', 'base64'))).toBe(awb)
      expect(mail.attachments.map(({ name, type }) => [name, type])).toEqual([
        [`OD-${orderId}.pdf`, 'application/pdf'],
        [`${awb}.pdf`, 'application/pdf'],
      ])
      for (const { base64 } of mail.attachments)
        expect(Buffer.from(base64, 'base64').toString('latin1', 0, 5)).toBe('%PDF-')
      expect(await stateOf(pilgrim)).toMatchObject({ phone: email, state: 'accepted' })
      await stack.passTime(10 * minute)
      expect(await lettersTo(email)).toHaveLength(1)
    },
  )

  it('is not written to once the address is removed', async () => {
    const email = 'removed@example.com'
    const pilgrim = await pilgrimAt(email)
    await stack.passTime(2 * minute)
    await pilgrim.person.confirm('email-removal')
    await pilgrim.person.call(removeEmail)
    const orderId = await paidOrder(stack, pilgrim)
    await issuedAwb(pilgrim.person, orderId)
    expect(await stateOf(pilgrim)).toBeUndefined()
  })
})

it.each([
  ['ar', /^رمز الدخول: (\d+)$/],
  ['en', /^Your code: (\d+)$/],
] as const)('a code to an address is the subject of its letter, in %s', async (lang, subject) => {
  const email = `code-${lang}@example.com`
  await pilgrimAt(email, lang)
  const [mail] = (await stack.control.mails(email)).filter(({ by }) => by === 'otp')
  const [, code = ''] = subject.exec(mail?.subject ?? '') ?? []
  expect(code).toBe(await stack.control.codeFor(email))
  expect(mail?.html).toContain(`<html lang="${lang}"`)
  expect(mail?.html).toContain(`>${code}</div>`)
  expect(mail?.html).not.toContain('{{')
})

describe('a letter', () => {
  it.each([
    ['refused@example.com', 'failed', null],
    ['blocked@example.com', 'waiting', 'blocked@example.com'],
    ['busy@example.com', 'waiting', 'busy@example.com'],
  ] as const)('to %s is %s, and the account has the address %s', async (email, state, kept) => {
    const pilgrim = await pilgrimAt(email)
    await eventually(
      async () => {
        const { rows } = await refusalsOf(pilgrim)
        return rows > 0 ? true : undefined
      },
      { withinMs: 30_000 },
    )
    expect(await stateOf(pilgrim, 'email-added-letter')).toMatchObject({ state })
    expect(await emailOf(pilgrim)).toBe(kept)
    expect(await allLettersTo(email)).toEqual([])
  })

  it('that was taken without an answer is sent once more, as the same letter, and never again', async () => {
    const email = 'silent@example.com'
    const pilgrim = await pilgrimAt(email)
    await eventually(async () => (await allLettersTo(email))[0], { withinMs: 30_000 })
    await eventually(
      async () => {
        const { state, lease } = (await stateOf(pilgrim, 'email-added-letter')) ?? {}
        // While a send is under way, the time of its lease must not pass.
        if (lease === null) await stack.passTime(minute)
        return state === 'failed' ? true : undefined
      },
      { withinMs: 30_000 },
    )
    const letters = await allLettersTo(email)
    expect(letters).toHaveLength(2)
    expect(new Set(letters.map(({ messageId }) => messageId)).size).toBe(1)
  })
})

/** Letters of the pilgrim that were refused, for good or for now. */
async function refusalsOf({ user }: Pilgrim) {
  const rows = await stack.database.tables
    .selectFrom('messages')
    .select('id')
    .where('user_id', '=', user.id)
    .where('kind', '=', 'email-added-letter')
    .where('last_error', 'is not', null)
    .execute()
  return { rows: rows.length }
}
