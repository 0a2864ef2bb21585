import type { Locator } from 'playwright-core'
import type { DeskFindings, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { deskPath } from '#shared/platform/pages.ts'
import { deskOrderOf, deskRowOf } from '#test/builders/desk.builder.ts'
import type { Scene, Stage } from './scenes.ts'

/** The desk, with answers of its own: who is signed in, and what the lists hold. */

const now = '2027-05-19T14:22:00+03:00'
const later = '2027-05-19T20:00:00+03:00'
const owner = { name: 'فاطمة أ…', phone: '+966 ••••• 4678' }
const row = (kind: string, id: string, orderId: number, city: string, text: string, more = {}) => ({
  kind,
  id,
  orderId,
  city,
  text,
  taken: null,
  since: '2027-05-18T09:22:00+03:00',
  dueAt: '2027-05-19T09:22:00+03:00',
  lastNews: {
    at: '2027-05-17T10:22:00+03:00',
    state: 'IN_TRANSIT',
    words: 'Left the Jeddah hub',
    place: 'Jeddah',
  },
  ...more,
})
const taken = { by: 'h', name: 'هدى السالم', isYou: false, isStale: false, handedBy: null, note: null }
const rows = [
  row('bags', '1', 5511, 'Riyadh', 'Bag missing', {
    taken: { ...taken, since: '2027-05-19T14:10:00+03:00', movedAt: '2027-05-19T14:10:00+03:00' },
  }),
  row('bags', '2', 5488, 'Jeddah', 'Bag damaged, Jeddah'),
  row('bags', '3', 5604, 'Madinah', 'No news of the bag'),
]
const overview = {
  lists: ['labels', 'bags', 'claims', 'messages', 'refunds', 'payments'].map((kind) => ({
    kind,
    count: 3,
    free: 2,
    late: kind === 'bags' ? 1 : 0,
    nextDueAt: later,
  })),
  refused: [],
  mine: [],
  colleagues: [{ id: 'h', name: 'هدى السالم', has: 1 }],
  ofOrder: [rows[2]],
}
const approval = {
  approvalId: 4,
  orderId: 5604,
  act: 'refund',
  amountHalalas: 5_000,
  about: '192036465',
  reason: 'Paid twice. Both cards were charged',
  askedBy: 'ماجد العتيبي',
  isMine: false,
  askedAt: '2027-05-19T13:40:00+03:00',
  expiresAt: '2027-05-22T13:40:00+03:00',
  changed: null,
  receiver: null,
  terminal: null,
  checks: [{ tone: 'note', text: 'سُلّمت الحقيبة للوكيل: أجرة شريك الشحن مستحقة له' }],
}

const receiverApproval = {
  ...approval,
  approvalId: 5,
  act: 'receiver',
  amountHalalas: 0,
  about: null,
  reason: 'أخوها يستلم',
  receiver: { receiver: { name: 'منى ع…', phone: '+966 ••••• 5679' } },
  checks: [{ tone: 'note', text: 'قد تكون البوليصة مطبوعة: يُبلَّغ شريك الشحن يدويًا' }],
}

const endingApproval = {
  ...approval,
  approvalId: 6,
  act: 'end-sessions',
  orderId: null,
  amountHalalas: 0,
  about: null,
  reason: 'A copied cookie was seen',
  terminal: { user: 'root', isConfirmed: true },
  checks: [{ tone: 'note', text: 'كل من سجّل الدخول يخرج: الحجاج والوكلاء' }],
}

const said = (step: number, kind: string, text: string, staffName: string | null = null) => ({
  step,
  kind,
  text,
  staffName,
  author: staffName === null ? 'owner' : 'staff',
  at: `2027-05-19T1${step}:05:00+03:00`,
  compensation: null,
})
const claim = {
  claimId: 118,
  number: 'CL-118',
  orderId: 5604,
  kind: 'late',
  state: 'OPEN',
  awb: '222735133983',
  openedAt: '2027-05-19T11:05:00+03:00',
  answerBy: '2027-05-26',
  lateSince: null,
  outcome: null,
  compensation: null,
  partnerCase: null,
  partnerAnswerBy: null,
  photos: [1],
  partnerBy: '2027-06-14T16:20:00+03:00',
  partnerText: 'Our case CL-118: delayed shipment.',
  events: [
    said(1, 'opened', 'كان موعد وصول حقيبتي أمس، والفرع يقول إنها لم تصل.'),
    said(2, 'question', 'أي فرع؟', 'سارة الحربي'),
    said(3, 'message', 'فرع الياسمين.'),
  ],
}

const findings = {
  exact: null,
  orders: [deskRowOf(5604), deskRowOf(5488)],
  claims: [],
  people: [{ userId: 7, ...owner, createdAt: '2027-05-14T17:06:00.000Z' }],
  more: { orders: false, people: false },
} satisfies DeskFindings

const line = (kind: string, time: string, text: string, data: TimelineLine['data'] = {}): TimelineLine => ({
  kind,
  at: `2027-05-17T${time}:00+03:00`,
  text,
  data,
  by: { kind: kind === 'scan' ? 'courier' : 'message-service' },
})
const order = deskOrderOf(5604)
const orderOnItsWay = {
  ...order,
  timeline: [
    line('message-delivered', '10:25', 'Message “picked up” delivered'),
    line('message-sent', '10:24', 'Message “picked up” sent'),
    line('scan', '10:22', 'On the way, Jeddah', { scan: 'in-transit', words: 'Left the Jeddah hub' }),
    line('scan', '05:10', 'Held up, Jeddah', { scan: 'exception', words: 'Delivery Exception' }),
    ...order.timeline,
  ],
}

const answers: Readonly<Record<string, object>> = {
  '/api/desk/me': {
    staff: { name: 'لولوة القحطاني', roles: ['lead'], idleUntil: later, endsAt: later },
  },
  '/api/desk/work': overview,
  '/api/desk/work/bags': { rows },
  '/api/desk/orders': { orders: findings.orders, nextCursor: '9-9' },
  '/api/desk/orders/5604': { order: orderOnItsWay },
  '/api/desk/approvals': { approvals: [approval, receiverApproval, endingApproval], nextCursor: null },
  '/api/desk/claims/118': { claim },
  '/api/desk/workers': { workers: [{ name: 'refunds', pausedAt: null, waiting: 12 }] },
  '/api/desk/search': findings,
  '/api/desk/stops': {
    revision: '1',
    stops: [
      {
        what: 'city',
        code: 'Jeddah',
        from: '2027-05-20T06:30:00+03:00',
        text: { ar: 'لا حجوزات جديدة لهذه المدينة حاليًا.', en: 'No new bookings for this city.' },
        isInForce: false,
        by: 'لولوة القحطاني',
        at: now,
        reason: 'The road is closed',
      },
    ],
  },
  '/api/desk/audit': {
    nextCursor: '2',
    people: [],
    rows: [
      {
        number: 3,
        at: now,
        by: 'لولوة القحطاني',
        roles: ['lead'],
        person: 'l',
        action: 'work-taken',
        orderId: 5604,
        userId: null,
        about: 'bags 12',
        reason: 'No news for two days',
        before: '{"has":"ماجد"}',
        after: '{"has":"لولوة"}',
      },
    ],
  },
}

/** Signed in as a lead, on an afternoon. */
async function atDesk({ page, context, gatewayUrl }: Stage, path: string): Promise<void> {
  await context.addCookies([{ name: `desk-here_${new URL(gatewayUrl).port}`, value: '1', url: gatewayUrl }])
  await page.clock.setFixedTime(new Date(now))
  await page.route(
    (url) => url.pathname.startsWith('/api/desk/'),
    (route) => {
      const answer = answers[new URL(route.request().url()).pathname]
      return answer === undefined
        ? route.fulfill({ contentType: 'text/event-stream', body: 'retry: 600000\n\n' })
        : route.fulfill({ json: { success: true, ...answer } })
    },
  )
  await page.goto(`${deskPath}${path}`)
}

const scene = (name: string, play: Scene['play']): Scene => ({ name, who: 'visitor', on: 'screen', play })

type Find = (stage: Stage) => Locator
const text =
  (found: string): Find =>
  ({ page }) =>
    page.getByText(found).first()
const button =
  (key: string): Find =>
  ({ page, t }) =>
    page.getByRole('button', { name: t(key), exact: true }).first()
const inDialog =
  (role: 'textbox' | 'radio'): Find =>
  ({ page }) =>
    page.getByRole('dialog').getByRole(role)
const approvalOf =
  (id: number): Find =>
  ({ page }) =>
    page.locator(`[aria-labelledby="approval-${id}"]`)

/** A page of the desk, until something is shown there; what is pressed before. */
const states: readonly (readonly [name: string, path: string, shown: Find, ...pressed: Find[]])[] = [
  ['work', '/work/bags', text('OD-5511')],
  ['order', '/orders/5604', button('desk-actions:title')],
  ['orders', '/orders?city=Riyadh', text('OD-5488')],
  [
    'order-actions',
    '/orders/5604',
    ({ page }) => page.getByRole('menuitem').first(),
    button('desk-actions:title'),
  ],
  ['refund', '/orders/5604?act=refund', inDialog('textbox')],
  ['approval-sessions', '/approvals?id=6', approvalOf(6)],
  ['approval-receiver', '/approvals?id=5', approvalOf(5)],
  ['approvals', '/approvals', text('OD-5604')],
  [
    'decision',
    '/approvals',
    ({ page }) => page.getByRole('dialog'),
    ({ page }) => page.locator('section .ant-btn-primary'),
  ],
  ['claim', '/claims/118', text('فرع الياسمين.')],
  [
    'claim-closing',
    '/claims/118',
    ({ page }) => page.getByRole('dialog').getByRole('radio').nth(2),
    button('desk-claims:close.open'),
    (stage) => inDialog('radio')(stage).nth(2),
  ],
  ['pause', '/workers', inDialog('textbox'), button('desk-workers:act.pause.open')],
  [
    'stop',
    '/stops',
    ({ page }) => page.getByRole('dialog').locator('[aria-invalid]').first(),
    button('desk-stops:new.open'),
    button('desk-stops:new.ok'),
  ],
  ['audit', '/audit', text('OD-5604')],
  [
    'why-not',
    '/orders/5604',
    ({ page, t }) => page.getByText(t('desk-actions:act.reissue.open')),
    button('desk-actions:whyNot'),
  ],
]

/** For wide screens and tablets alone. */
export const deskScenes: readonly Scene[] = [
  scene('desk-signed-out', async (stage) => {
    await stage.page.goto(deskPath)
    await stage.page.getByRole('heading', { level: 1 }).waitFor()
  }),
  ...states.map(([name, path, shown, ...pressed]) =>
    scene(`desk-${name}`, async (stage) => {
      await atDesk(stage, path)
      for (const find of pressed) await find(stage).click()
      await shown(stage).waitFor()
    }),
  ),
  scene('desk-search', async (stage) => {
    await atDesk(stage, '/search')
    await stage.page.getByRole('textbox').fill('4678')
    await stage.page.keyboard.press('Enter')
    await text('OD-5488')(stage).waitFor()
  }),
]
