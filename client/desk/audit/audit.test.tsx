// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDesk } from '#test/kit/client/render-desk.tsx'

const list = 'GET /api/desk/audit'
const row = (number: number, change: object) => ({
  number,
  at: '2027-05-19T11:22:00.000Z',
  by: 'هدى',
  person: 'h',
  orderId: null,
  userId: null,
  about: null,
  reason: null,
  before: '{}',
  after: '{}',
  ...change,
})
const body = {
  success: true,
  nextCursor: null,
  people: [{ id: 'h', name: 'هدى' }],
  rows: [
    row(4, {
      action: 'work-taken',
      about: 'bags 12',
      before: '{"has":"ماجد"}',
      after: '{"has":"هدى"}',
    }),
    row(3, {
      action: 'approval-requested',
      about: 'approval 7, write-off',
      after: '{"message 9, paid":"2"}',
    }),
    row(2, { action: 'work-released', reason: 'the session ended' }),
    row(1, { action: 'worker-paused', about: 'tracking' }),
    row(0, { action: 'view-refused', after: '{"view":"disclosed"}' }),
    row(11, { action: 'list-accepted', about: 'centers', before: '{"refused since":"12"}' }),
    row(10, { action: 'all-sessions-ended', about: 'desk', after: '{"ended":2}' }),
    ...['approved', 'refused', 'overtaken'].map((outcome, at) =>
      row(-1 - at, {
        action: 'approval-decided',
        about: 'approval 7, reissue',
        after: JSON.stringify({ outcome }),
      }),
    ),
  ],
}

it('says what was done in the words of the reader', async () => {
  openDesk('/audit', { [list]: { body } }, { roles: ['lead'], language: 'ar' })
  const table = within(await screen.findByRole('table'))
  const lines = table.getAllByRole('row').map(({ textContent }) => textContent ?? '')
  expect(lines[1]).toContain('إسنادحقائب للمتابعة، رقم 12')
  expect(lines[1]).toContain('\u2068المسؤول\u2069: ماجد → هدى')
  expect(lines[2]).toContain('طلب موافقةطلب الموافقة 7، شطب الإعادة')
  expect(lines[2]).toContain('الرسالة 9, تم الدفع')
  expect(lines[3]).toContain('انتهت الجلسة')
  expect(lines[4]).toContain('إيقاف مهمة مؤقتًامتابعة الحقائب')
  expect(lines[5]).toContain('إظهار الاسم والجوال')
  expect(lines[6]).toContain('قبول قائمة أقصر أرسلها الشريكالفروع')
  expect(lines[6]).toContain('\u2068مرفوضة منذ\u2069: 12')
  expect(lines[7]).toContain('إنهاء جلسات الجميعالمكتب')
  for (const [at, outcome] of ['موافقة', 'رفض', 'لم تعد ممكنة'].entries()) {
    expect(lines[8 + at]).toContain('البت في طلب موافقةطلب الموافقة 7، إصدار البوليصة مرة أخرى')
    expect(lines[8 + at]).toContain(`\u2068النتيجة\u2069: ${outcome}`)
  }
  expect(lines.filter((line) => /\p{Script=Latin}/u.test(line))).toEqual([])
})

it('is asked by the number on the page of an order, by the name of a person and by what was done', async () => {
  const { person, calls } = openDesk('/audit', { [list]: { body } }, { roles: ['lead'] })
  const last = () => calls.findLast(({ path }) => path === '/api/desk/audit')?.query
  await person.type(await screen.findByLabelText('Order number'), 'OD-5604{Enter}')
  await waitFor(() => expect(last()).toEqual({ order: '5604' }))
  await person.click(screen.getByRole('combobox', { name: 'Person of the desk' }))
  await person.click(await screen.findByTitle('هدى'))
  await waitFor(() => expect(last()).toEqual({ order: '5604', person: 'h' }))
  await person.click(screen.getByRole('combobox', { name: 'Kind' }))
  await person.click(await screen.findByTitle('Approval asked for'))
  await waitFor(() => expect(last()).toMatchObject({ person: 'h', action: 'approval-requested' }))
})
