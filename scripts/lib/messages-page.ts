import {
  type AccountLetter,
  accountLetter,
  codeLetter,
  documentsLetter,
  type LetterBag,
  receiverLetter,
  storedText,
} from '#server/features/messages/letter.texts.ts'
import { type AccountKind, type OrderKind, orderKinds } from '#server/features/messages/messages.rules.ts'
import {
  accountText,
  type ClaimFacts,
  type MessageFacts,
  messageText,
  segmentsOf,
} from '#server/features/messages/messages.texts.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import { type MailKind, type MessageKind, mailKinds } from '#shared/messages/messages.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { PromisedDays } from '#shared/platform/promises.rules.ts'

interface Example {
  readonly when: string
  readonly textIn: (language: LanguageCode) => string
}

const orderId = 1042
const bag = '231200021879'
const otherBag = '231200021880'
const at = Date.parse('2027-05-18T09:00:00+03:00')
const branch = {
  addressAR: 'حي العليا - طريق العروبة، محل 4',
  addressEN: 'Al Olaya Dist. - Uruba St., shop 4',
  city: 'Riyadh',
}
const agent = {
  name: 'وكيل منى 1 · Mina Agent 1',
  address: 'جهة الجمرات، مخيم 14، منى · Jamarat side, camp 14, Mina',
  city: 'Mina',
}
const riyadh = { city: 'Riyadh' }

const nothingPromised: PromisedDays = {
  transit: undefined,
  handInUntil: undefined,
  storageDays: undefined,
  arrival: undefined,
  keptUntil: undefined,
  dueOn: undefined,
}
const promised: PromisedDays = {
  ...nothingPromised,
  transit: [2, 4],
  handInUntil: '2027-05-29',
  storageDays: 7,
}

const plain: MessageFacts = {
  awbs: [bag],
  awaitsAwb: false,
  place: null,
  isPaid: true,
  returned: null,
}

const claim: ClaimFacts = {
  number: 'CL-118',
  answerBy: Date.parse('2027-05-27T00:00:00+03:00'),
  outcome: null,
  repeatedAt: null,
}
const closed = (outcome: NonNullable<ClaimFacts['outcome']>): Partial<MessageFacts> => ({
  claim: { ...claim, outcome },
})
const outcomes = ['delivered', 'found', 'compensated', 'refused', 'withdrawn'] as const

type Case = readonly [when: string, facts: Partial<MessageFacts>]

const orderCases: Readonly<Record<OrderKind, readonly Case[]>> = {
  paid: [
    ['nothing is promised', { place: agent }],
    ['days are promised', { place: agent, promised }],
    ['days are promised, another person collects the bag', { place: agent, promised, receiver: 'Huda Omar' }],
    ['two bags', { place: branch, promised, awbs: [bag, otherBag] }],
    ['ten minutes without an airway bill', { place: agent, promised, awbs: [], awaitsAwb: true }],
    ['ten minutes without the one of the other way', { place: branch, promised, awaitsAwb: true }],
  ],
  'label-issued': [
    ['after a message without it', { place: agent, promised }],
    ['two bags', { place: branch, promised, awbs: [bag, otherBag] }],
  ],
  'handed-over': [
    ['to an agent', { place: agent }],
    [
      'to an agent, days are promised',
      { place: agent, promised: { ...promised, arrival: ['2027-05-20', '2027-05-22'] } },
    ],
    ['to the courier', { place: { city: 'Makkah' } }],
  ],
  'at-branch': [
    ['the owner collects it', { place: branch }],
    [
      'the owner collects it, its day is promised',
      { place: branch, promised: { ...promised, keptUntil: '2027-05-29' } },
    ],
    [
      'the branch has opening hours',
      { place: branch, opening: { state: 'open', until: Date.parse('2027-05-18T12:00:00+03:00') } },
    ],
    ['another person collects it', { place: branch, receiver: 'Huda Omar' }],
    ['another person collects it, whose name is not fit for an SMS', { place: branch, receiver: 'a.com' }],
  ],
  collected: [
    ['by the owner', { place: riyadh }],
    ['by another person', { place: riyadh, receiver: 'Huda Omar' }],
  ],
  refunded: [['', {}]],
  'refund-failed': [['', {}]],
  exception: [['', {}]],
  late: [['a day was promised', { promised: { ...promised, dueOn: '2027-05-22' } }]],
  cancelled: [['', {}]],
  'wrong-amount': [
    ['the order is paid', { returned: { amount: 4_900, currency: 'SAR' } }],
    ['the order is not paid', { isPaid: false, returned: { amount: 4_900, currency: 'SAR' } }],
  ],
  'receiver-changed': [
    ['to another person', { receiver: 'Huda Omar', at }],
    ['to another person, whose name is not fit for an SMS', { receiver: 'a.com', at }],
    ['to the owner', { receiver: null, at }],
  ],
  'receiver-named': [
    ['', { place: riyadh, owner: 'Maryam' }],
    ['the owner’s name is not fit for an SMS', { place: riyadh, owner: 'a.com' }],
  ],
  'receiver-at-branch': [
    ['', { place: branch }],
    ['its day is promised', { place: branch, promised: { ...promised, keptUntil: '2027-05-29' } }],
  ],
  'claim-opened': [['', { claim }]],
  'claim-question': [['', { claim }]],
  'claim-answered': [
    ['', { claim }],
    ['for the second time', { claim: { ...claim, repeatedAt: at } }],
  ],
  'claim-late': [['', { claim }]],
  'claim-closed': outcomes.map((outcome) => [outcome, closed(outcome)] as const),
}

const accountKinds = [
  'number-changed',
  'email-changed',
  'number-waits',
] as const satisfies readonly AccountKind[]

const url = `https://amtiati.example/orders/${orderId}`
const stopUrl = 'https://amtiati.example/email-stop/…'
const letterBag: LetterBag = {
  awb: bag,
  hasLabel: true,
  origin: { name: agent.name, address: agent.address, city: agent.city, coordinates: null },
  destination: {
    addressAR: branch.addressAR,
    addressEN: branch.addressEN,
    city: branch.city,
    coordinates: null,
  },
  endsAtBranch: true,
  receiver: null,
  promised: undefined,
}
const { origin, destination } = letterBag
const wayBack: LetterBag = {
  awb: otherBag,
  hasLabel: true,
  origin: destination,
  destination: origin,
  endsAtBranch: false,
  receiver: null,
  promised: undefined,
}
const awaited = { awb: null, hasLabel: false, origin, destination, endsAtBranch: true, promised: undefined }
const documents =
  (...bags: readonly LetterBag[]) =>
  (language: LanguageCode) =>
    storedText(documentsLetter(language, { orderId, owner: 'Maryam', bags, url }))

const letterCases: Readonly<Record<MailKind, readonly Example[]>> = {
  documents: [
    { when: 'nothing is promised', textIn: documents(letterBag) },
    {
      when: 'days are promised, another person collects the bag',
      textIn: documents({ ...letterBag, promised, receiver: 'Huda Omar' }),
    },
    { when: 'both ways', textIn: documents(wayBack, letterBag) },
    { when: 'the barcode is not issued yet', textIn: documents({ ...awaited, receiver: null }) },
  ],
  'receiver-changed-letter': [
    {
      when: '',
      textIn: (language) => storedText(receiverLetter(language, { orderId, receiver: 'Huda Omar', at, url })),
    },
  ],
  'number-changed-letter': accountCase('number-changed-letter'),
  'email-changed-letter': accountCase('email-changed-letter'),
  'number-waits-letter': accountCase('number-waits-letter'),
  'email-added-letter': accountCase('email-added-letter', stopUrl),
}

function accountCase(kind: AccountLetter, link: string | null = null): readonly Example[] {
  return [{ when: '', textIn: (language) => storedText(accountLetter(language, kind, at, link)) }]
}

/** The next step of the reader. */
const nextSteps: Readonly<Record<MessageKind, string>> = {
  paid: 'Hands the bag in at the named place, with the barcode on the page of the order',
  'label-issued': 'Hands the bag in, with the barcode on the page of the order',
  'handed-over': 'Waits for the message of the arrival; calls if the bag was not given away',
  'at-branch': 'Collects the bag with barcode and ID, or sends the receiver',
  collected: 'Nothing; calls if nobody of theirs collected it',
  refunded: 'Waits for the bank',
  'refund-failed': 'Contacts us',
  exception: 'Reads the page of the order',
  late: 'Reports the bag on the page of the order, or waits',
  cancelled: 'Nothing; the message about the money follows',
  'wrong-amount': 'Nothing; pays again where the order is not booked',
  'receiver-changed': 'Nothing, or calls at once',
  'receiver-named': 'Waits for the message of the arrival',
  'receiver-at-branch': 'Collects the bag with ID and the number in the message',
  'claim-opened': 'Waits until the day in the message',
  'claim-question': 'Answers on the page of the order',
  'claim-answered': 'Reads the answer on the page of the order',
  'claim-late': 'Waits until the new day',
  'claim-closed': 'Reads the reason on the page of the order',
  'number-changed': 'Nothing, or calls at once',
  'email-changed': 'Nothing, or signs in and removes the address',
  'number-waits': 'Nothing, or signs in with the present number, which cancels the move',
  documents: 'Hands the bag in with the barcode; without one, opens the page of the order',
  'receiver-changed-letter': 'Nothing, or calls at once',
  'number-changed-letter': 'Nothing, or calls at once',
  'email-changed-letter': 'Nothing, or calls at once',
  'number-waits-letter': 'Nothing, or signs in with the present number, which cancels the move',
  'email-added-letter': 'Nothing, or opens the link and presses its button',
}

const examplesOf = (kind: OrderKind): readonly Example[] =>
  orderCases[kind].map(([when, facts]) => ({
    when,
    textIn: (language) => messageText(language, { ...plain, ...facts, kind, orderId }),
  }))

/** `docs/messages.md`: every text that is sent, in both languages. */
export function messagesPage(howTo: string): string {
  const accountExamples = (kind: AccountKind): readonly Example[] => [
    { when: '', textIn: (language) => accountText(language, kind, at) },
  ]
  const newLines = newParts('\n')
  return `${[
    '# Messages',
    '',
    `Made by \`${howTo}\`; do not edit. The texts live in \`server/features/messages/locales/\`, the examples in`,
    '`scripts/lib/messages-page.ts`. `…` stands for what an earlier row says.',
    '',
    'A push message has the same text. Days stand in a text only where the order was made with a promise of them.',
    '',
    '## SMS',
    '',
    'An SMS has two parts at most; `messageText` in `server/features/messages/messages.texts.ts` leaves out what is worth less.',
    '',
    '| Kind | Case | Arabic | Parts | English | Parts | The reader then |',
    '|---|---|---|---|---|---|---|',
    ...orderKinds.flatMap((kind) => smsRows(kind, examplesOf(kind))),
    ...accountKinds.flatMap((kind) => smsRows(kind, accountExamples(kind))),
    '',
    '## Letters',
    '',
    'A letter has this plain text, and the same words as HTML with the barcode drawn. The first line is the subject.',
    'The code is sent by the OTP service with the template `shared/wire/otp/code-letter.html` ([wires/otp.md](wires/otp.md) O32).',
    '',
    '| Kind | Case | Arabic | English | The reader then |',
    '|---|---|---|---|---|',
    ...mailKinds.flatMap((kind) =>
      letterCases[kind].map((each, index) =>
        letterRow(kind, each, index === 0 ? nextSteps[kind] : '…', newLines),
      ),
    ),
    letterRow('code', codeCase, 'Types the code on the page; gives it to nobody', newLines),
  ].join('\n')}\n`
}

type Shorten = (text: string) => string

/** Puts `…` in place of the sentences (or lines) that an earlier text has. */
function newParts(separator: ' ' | '\n'): Shorten {
  const seen = new Set<string>()
  return (text) => {
    const parts = separator === '\n' ? text.split('\n') : text.split(/(?<=[.:?؟]) /)
    const shown = parts.map((part) => (part !== '' && seen.has(part) ? '…' : part))
    for (const part of parts) seen.add(part)
    return shown.join(separator).replaceAll(/…(\s+…)+/g, '…')
  }
}

function smsRows(kind: OrderKind | AccountKind, examples: readonly Example[]): readonly string[] {
  const newSentences = newParts(' ')
  return examples.map(({ when, textIn }, index) => {
    const [ar, en] = [textIn('ar'), textIn('en')]
    const next = index === 0 ? nextSteps[kind] : '…'
    const cells = [newSentences(ar), segmentsOf(ar), newSentences(en), segmentsOf(en), next]
    return `| \`${kind}\` | ${when || messageNames[kind].en} | ${cells.join(' | ')} |`
  })
}

const codeCase: Example = {
  when: 'an address is proven, or an account is opened by it',
  textIn: (language) => storedText(codeLetter(language, '4071')),
}

function letterRow(
  kind: MailKind | 'code',
  { when, textIn }: Example,
  next: string,
  shorten: Shorten,
): string {
  const cells = [textIn('ar'), textIn('en')].map((text) => shorten(text).replaceAll('\n', '<br>'))
  return `| \`${kind}\` | ${when} | ${cells.join(' | ')} | ${next} |`
}
