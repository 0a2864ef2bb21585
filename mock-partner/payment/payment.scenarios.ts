/** The bank's answer to a card. */
export interface BankAnswer {
  isApproved: boolean
  message: string
  transactionCode: string
  acquirerCode: string
}

export const bankAnswers = {
  approved: { isApproved: true, message: 'Approved', transactionCode: 'APPROVED', acquirerCode: '00' },
  declined: { isApproved: false, message: 'Declined', transactionCode: 'DECLINED', acquirerCode: '05' },
  insufficientFunds: {
    isApproved: false,
    message: 'Insufficient Funds',
    transactionCode: 'INSUFFICIENT_FUNDS',
    acquirerCode: '51',
  },
  expiredCard: {
    isApproved: false,
    message: 'Expired Card',
    transactionCode: 'EXPIRED_CARD',
    acquirerCode: '54',
  },
  challengeFailed: {
    isApproved: false,
    message: '3D Secure Authentication Failed',
    transactionCode: 'AUTHENTICATION_FAILED',
    acquirerCode: '-',
  },
  unknownCard: {
    isApproved: false,
    message: 'Not a test card',
    transactionCode: 'DECLINED',
    acquirerCode: '14',
  },
} as const satisfies Record<string, BankAnswer>

/** How a callback is delivered. */
export const callbackModes = ['send', 'lose', 'twice', 'late', 'forge', 'mismatch'] as const
export type CallbackMode = (typeof callbackModes)[number]

/** Default delay of a `late` callback. */
export const lateCallbackMs = 30_000
/** A `mismatch` payment is this many halalas off. */
const mismatchHalalas = 100

export const otherAmountThan = (amountHalalas: number): number => Math.max(1, amountHalalas - mismatchHalalas)

/**
 * The widget passes these to the page instead of a result. The real widget compares status and text of the first two; of
 * the others it reads the status alone, so their texts are ours (docs/wires/payment.md P45).
 */
export const widgetRefusals = {
  'retry-limit': { status: 400, data: ['Retry limit reached.'] },
  /** The payment was made in another window; this one is refused. */
  'already-paid': { status: 400, data: { msg: 'Order has already paid.' } },
  expired: { status: 401, data: { detail: 'The payment token is invalid or has expired.' } },
  forbidden: { status: 403, data: { detail: 'No further attempt is allowed.' } },
  'already-processed': { status: 406, data: { message: 'The payment was already processed.' } },
  unprocessable: { status: 422, data: { message: 'The payment was already processed.' } },
  /** An answer without content. */
  unreadable: { status: 200, data: {} },
} as const
export type WidgetRefusal = keyof typeof widgetRefusals
export const widgetRefusalNames = Object.keys(widgetRefusals) as WidgetRefusal[]

export interface CardScenario {
  answer: BankAnswer
  callback: CallbackMode | 'thrice'
  /** The bank asks the holder to confirm: 3-D Secure. */
  hasChallenge: boolean
  /** The transaction stays `pending` this long. */
  processingMs: number
  /** A decline reaches the page as the redirect's query; otherwise as 400 with the bank's message. */
  hasDeclineQuery: boolean
  /** False: the page never receives the result, as when a phone loses its signal. */
  isPageTold: boolean
  /** A saved-card callback (`type: "TOKEN"`) goes out first. */
  savesCard: boolean
  /** Refunds of this payment answer 2xx with `success: false`. */
  refusesRefunds: boolean
  /** Callback, inquiry and refund have an unusual form, see `unusualTransaction`. */
  isUnusual: boolean
  /** The inquiry finds it only after this. */
  lagMs: number
  /** The widget passes it on instead of an outcome. */
  refusal: WidgetRefusal | null
}

/** Settings of testers for all payments that begin from now on. */
export interface Unusual {
  /** Chance that a payment, or the answer to a new intention, is unusual, 0 to 1. */
  probability: number
  /** The inquiry lags behind by up to this, for payments and for refunds. */
  lagMs: number
}

export const usual: Unusual = { probability: 0, lagMs: 0 }

interface TestCard {
  number: string
  label: { ar: string; en: string }
  scenario: CardScenario
}

const plain: CardScenario = {
  answer: bankAnswers.approved,
  callback: 'send',
  hasChallenge: false,
  processingMs: 0,
  hasDeclineQuery: true,
  isPageTold: true,
  savesCard: false,
  refusesRefunds: false,
  isUnusual: false,
  lagMs: 0,
  refusal: null,
}

const card = (number: string, en: string, ar: string, changes: Partial<CardScenario> = {}): TestCard => ({
  number,
  label: { ar, en },
  scenario: { ...plain, ...changes },
})

/** The first three are the provider's own (docs/wires/payment.md P40); the rest are ours. */
export const testCards: readonly TestCard[] = [
  card('5123456789012346', 'Approved', 'عملية ناجحة'),
  card('4111111111111111', 'Approved (Visa)', 'عملية ناجحة (Visa)'),
  card('5123450000000008', 'Bank confirmation (3DS)', 'تأكيد من البنك (3DS)', { hasChallenge: true }),
  card('4000000000000002', 'Declined', 'مرفوضة', { answer: bankAnswers.declined, hasDeclineQuery: false }),
  card('4000000000009995', 'Insufficient funds', 'رصيد غير كافٍ', { answer: bankAnswers.insufficientFunds }),
  card('4000000000000119', 'Slow processing (8 s)', 'معالجة بطيئة (8 ثوانٍ)', { processingMs: 8_000 }),
  card('4000000000000218', 'Paid, but the page never hears', 'ناجحة، والصفحة لا تعلم', { isPageTold: false }),
  card('4000000000000317', 'Paid, callback lost', 'ناجحة، والإشعار يضيع', { callback: 'lose' }),
  card('4000000000000416', 'Paid, callback three times', 'ناجحة، والإشعار 3 مرات', { callback: 'thrice' }),
  card('4000000000000515', 'Paid, callback 30 s late', 'ناجحة، والإشعار متأخر 30 ثانية', {
    callback: 'late',
  }),
  card('4000000000000614', 'Another amount is charged', 'المبلغ المدفوع مختلف', { callback: 'mismatch' }),
  card('4000000000000713', 'Paid, saved-card callback first', 'ناجحة، مع إشعار حفظ البطاقة', {
    savesCard: true,
  }),
  card('4000000000000812', 'Paid, refunds are refused', 'ناجحة، والاسترداد مرفوض', { refusesRefunds: true }),
  card('4000000000000911', 'Paid, answers in an unusual form', 'ناجحة، وصيغة الردود غير مألوفة', {
    isUnusual: true,
  }),
  card(
    '4000000000001018',
    'Paid, callback lost, inquiry 20 s behind',
    'ناجحة، والإشعار يضيع والاستعلام متأخر 20 ثانية',
    { callback: 'lose', lagMs: 20_000 },
  ),
  card('4000000000010019', 'Retry limit reached (400)', 'استُنفدت المحاولات (400)', {
    refusal: 'retry-limit',
  }),
  card('4000000000010027', 'Already paid elsewhere (400)', 'مدفوعة من قبل (400)', {
    refusal: 'already-paid',
  }),
  card('4000000000010035', 'Secret expired (401)', 'انتهت صلاحية النموذج (401)', { refusal: 'expired' }),
  card('4000000000010043', 'Already processed (406)', 'عولجت من قبل (406)', { refusal: 'already-processed' }),
  card('4000000000010050', 'An answer that says nothing', 'رد غير مفهوم', { refusal: 'unreadable' }),
]

export interface Card {
  /** The first six and last four digits; the rest is not stored. */
  first6: string
  last4: string
  brand: 'Visa' | 'MasterCard'
}

export const cardOf = (number: string): Card => ({
  first6: number.slice(0, 6),
  last4: number.slice(-4),
  brand: number.startsWith('4') ? 'Visa' : 'MasterCard',
})

/** Holder, expiry and code of every test card. */
export const testCardDetails = { holder: 'Test Account', expiry: '01/39', cvv: '123' } as const

/** Results by expiry date (docs/wires/payment.md P41). */
const answersByExpiry: Readonly<Record<string, BankAnswer>> = {
  '05/39': bankAnswers.declined,
  '04/27': bankAnswers.expiredCard,
}

/** @param expiry `MM/YY`. */
export function scenarioOf(number: string, expiry: string): CardScenario {
  const scenario = testCards.find((card) => card.number === number)?.scenario
  if (scenario === undefined) return { ...plain, answer: bankAnswers.unknownCard, hasDeclineQuery: false }
  const answer = answersByExpiry[expiry]
  return answer === undefined ? scenario : { ...scenario, answer, hasDeclineQuery: false }
}
