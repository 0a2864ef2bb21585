/** What the bank says to a card. */
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

/** How a callback goes out. */
export const callbackModes = ['send', 'lose', 'twice', 'late', 'forge', 'mismatch'] as const
export type CallbackMode = (typeof callbackModes)[number]

/** A `late` callback is this late unless the tester says otherwise. */
export const lateCallbackMs = 30_000
/** A `mismatch` payment is this many halalas off. */
export const mismatchHalalas = 100

export interface CardScenario {
  answer: BankAnswer
  callback: CallbackMode | 'thrice'
  /** The bank asks the holder to confirm (3-D Secure). */
  hasChallenge: boolean
  /** The transaction stays `pending` this long. */
  processingMs: number
  /** Whether a decline ends the form: the page is told. Otherwise the form shows it and takes another card. */
  endsForm: boolean
  /** Whether the page ever hears of the result, as when a phone loses its signal. */
  isPageTold: boolean
  /** A saved-card callback (`type: "TOKEN"`) goes out first. */
  savesCard: boolean
  /** Refunds of this payment answer 2xx with `success: false`. */
  refusesRefunds: boolean
}

export interface TestCard {
  number: string
  label: { ar: string; en: string }
  scenario: CardScenario
}

const plain: CardScenario = {
  answer: bankAnswers.approved,
  callback: 'send',
  hasChallenge: false,
  processingMs: 0,
  endsForm: true,
  isPageTold: true,
  savesCard: false,
  refusesRefunds: false,
}

/** The first three are the provider's own test cards; it publishes no others, so the rest are ours. */
export const testCards: readonly TestCard[] = [
  { number: '5123456789012346', label: { ar: 'عملية ناجحة', en: 'Approved' }, scenario: plain },
  { number: '4111111111111111', label: { ar: 'عملية ناجحة (Visa)', en: 'Approved (Visa)' }, scenario: plain },
  {
    number: '5123450000000008',
    label: { ar: 'تأكيد من البنك (3DS)', en: 'Bank confirmation (3DS)' },
    scenario: { ...plain, hasChallenge: true },
  },
  {
    number: '4000000000000002',
    label: { ar: 'مرفوضة، ويمكن تجربة بطاقة أخرى', en: 'Declined, form stays for another card' },
    scenario: { ...plain, answer: bankAnswers.declined, endsForm: false },
  },
  {
    number: '4000000000009995',
    label: { ar: 'رصيد غير كافٍ، وتُبلَّغ الصفحة', en: 'Insufficient funds, page is told' },
    scenario: { ...plain, answer: bankAnswers.insufficientFunds },
  },
  {
    number: '4000000000000119',
    label: { ar: 'معالجة بطيئة (8 ثوانٍ)', en: 'Slow processing (8 s)' },
    scenario: { ...plain, processingMs: 8_000 },
  },
  {
    number: '4000000000000218',
    label: { ar: 'ناجحة، والصفحة لا تعلم', en: 'Paid, but the page never hears' },
    scenario: { ...plain, isPageTold: false },
  },
  {
    number: '4000000000000317',
    label: { ar: 'ناجحة، والإشعار يضيع', en: 'Paid, callback lost' },
    scenario: { ...plain, callback: 'lose' },
  },
  {
    number: '4000000000000416',
    label: { ar: 'ناجحة، والإشعار 3 مرات', en: 'Paid, callback three times' },
    scenario: { ...plain, callback: 'thrice' },
  },
  {
    number: '4000000000000515',
    label: { ar: 'ناجحة، والإشعار متأخر 30 ثانية', en: 'Paid, callback 30 s late' },
    scenario: { ...plain, callback: 'late' },
  },
  {
    number: '4000000000000614',
    label: { ar: 'المبلغ المدفوع مختلف', en: 'Another amount is charged' },
    scenario: { ...plain, callback: 'mismatch' },
  },
  {
    number: '4000000000000713',
    label: { ar: 'ناجحة، مع إشعار حفظ البطاقة', en: 'Paid, saved-card callback first' },
    scenario: { ...plain, savesCard: true },
  },
  {
    number: '4000000000000812',
    label: { ar: 'ناجحة، والاسترداد مرفوض', en: 'Paid, refunds are refused' },
    scenario: { ...plain, refusesRefunds: true },
  },
]

/** What the test cards carry besides their number. */
export const testCardDetails = { holder: 'Test Account', expiry: '01/39', cvv: '123' } as const

/** Result by expiry date, as another reseller of the same card gateway documents it. */
const answersByExpiry: Readonly<Record<string, BankAnswer>> = {
  '05/39': bankAnswers.declined,
  '04/27': bankAnswers.expiredCard,
}

/** @param expiry `MM/YY`. */
export function scenarioOf(number: string, expiry: string): CardScenario {
  const scenario = testCards.find((card) => card.number === number)?.scenario
  if (scenario === undefined) return { ...plain, answer: bankAnswers.unknownCard, endsForm: false }
  const answer = answersByExpiry[expiry]
  return answer === undefined ? scenario : { ...scenario, answer, endsForm: false }
}
