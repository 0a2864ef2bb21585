import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Opening } from '#shared/partner/hours.rules.ts'
import { languages } from '#shared/platform/language.ts'
import type { PromisedDays } from '#shared/platform/promises.rules.ts'
import type { DaySpan } from '#shared/platform/promises.schemas.ts'
import { type OrderKind, orderKinds } from './messages.rules.ts'
import { accountText, type MessageFacts, messageText, segmentsOf } from './messages.texts.ts'

const promised: PromisedDays = {
  transit: [2, 4],
  handInUntil: '2027-05-29',
  storageDays: 7,
  arrival: ['2027-06-13', '2027-06-15'],
  keptUntil: '2027-06-20',
  dueOn: '2027-06-15',
}
/** The longest names of days and months. */
const longest: PromisedDays = {
  transit: [11, 14],
  handInUntil: '2027-09-15',
  storageDays: 11,
  arrival: ['2027-09-15', '2027-09-29'],
  keptUntil: '2027-09-29',
  dueOn: '2027-09-29',
}

const facts = {
  promised: undefined as PromisedDays | undefined,
  orderId: 1_234_567,
  awbs: ['231200021879'],
  awaitsAwb: false,
  isPaid: true,
  place: {
    addressAR: 'حي الملك عبدالله بن عبدالعزيز - طريق الملك فهد، محل 4',
    addressEN: 'حي الملك عبدالله بن عبدالعزيز - طريق الملك فهد، محل 4',
    city: 'Riyadh',
  },
  returned: { amount: 4_900, currency: 'SAR' },
  claim: {
    number: 'CL-1118',
    // The end of a Wednesday, whose name is the longest.
    answerBy: Date.parse('2027-09-23T00:00:00+03:00'),
    outcome: 'found' as const,
    repeatedAt: null,
  },
}
const textIn = (
  language: string | null,
  kind: OrderKind,
  change: Partial<MessageFacts & { orderId: number }> = {},
) => messageText(language, { ...facts, ...change, kind })

const branch = {
  addressAR: 'حي العليا - طريق العروبة، محل 4',
  addressEN: 'Al Olaya Dist. - Uruba St., shop 4',
}
const agent = { name: 'وكيل منى 1 · Mina Agent 1' }

describe.each(Object.keys(languages))('the texts of messages in %s', (language) => {
  it.each(orderKinds)('%s: at most two parts, without link and phone number', (kind) => {
    for (const change of [
      {},
      { place: agent },
      { awbs: ['231200021879', '231200021880'] },
      { isPaid: false },
      { claim: { ...facts.claim, repeatedAt: facts.claim.answerBy - 60_000 } },
      { owner: 'ع'.repeat(40), receiver: 'ع'.repeat(40), place: { ...facts.place, city: 'ع'.repeat(30) } },
      { promised: longest },
      { promised: longest, place: { name: 'ع'.repeat(40) } },
      { promised: longest, place: { name: 'ع'.repeat(200), city: 'Mina' }, awaitsAwb: true },
      { promised: longest, awbs: ['231200021879', '231200021880'], receiver: 'ع'.repeat(40) },
    ]) {
      const text = textIn(language, kind, change)
      expect(segmentsOf(text)).toBeLessThanOrEqual(2)
      expect(text).not.toMatch(/https?:|www\.|\.com|\.sa\b|\+\d|\b05\d/)
      expect(text).toMatch(/231200021879|OD-1234567|CL-1118/)
      expect(text).not.toMatch(/\{|undefined|null/)
    }
  })

  it('differ from each other, so that a look-up cannot take one for another', () => {
    expect(new Set(orderKinds.map((kind) => textIn(language, kind))).size).toBe(orderKinds.length)
  })

  it('name the order where there is no airway bill', () => {
    expect(textIn(language, 'exception', { awbs: [] })).toContain('OD-1234567')
  })
})

describe.each(Object.keys(languages))('the texts about accounts in %s', (language) => {
  it.each(['number-changed', 'email-changed', 'number-waits'] as const)(
    '%s: at most two parts, without link and phone number, and another at another hour',
    (kind) => {
      // The longest names of days: of the change's day, and of the next one.
      const at = Date.UTC(2027, 4, 11, 9, 59)
      const text = accountText(language, kind, at)
      expect(segmentsOf(text)).toBeLessThanOrEqual(2)
      expect(text).not.toMatch(/https?:|www\.|\.com|\.sa\b|\+\d|\b05\d|undefined/)
      expect(accountText(language, kind, at + 60 * 60_000)).not.toBe(text)
    },
  )
})

it('English texts without an Arabic place have one part', () => {
  for (const kind of orderKinds)
    expect(segmentsOf(textIn('en', kind, { place: { ...branch, city: 'Riyadh' } }))).toBe(1)
})

describe('where a bag is, in the language of the person', () => {
  it.each<[string, OrderKind, MessageFacts['place'], string, string]>([
    [
      'branch and city, and what to bring',
      'at-branch',
      { ...branch, city: 'Riyadh' },
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، محل 4، الرياض. أحضر الباركود وهويتك.',
      'Amtiati: bag 231200021879 is ready for you at the branch in Al Olaya Dist., Uruba St., shop 4, Riyadh. Bring the barcode and your ID.',
    ],
    [
      'a branch whose address ends with the city',
      'at-branch',
      { addressAR: 'الملز، الرياض', addressEN: 'Malaz, Riyadh', city: 'Riyadh' },
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع الملز، الرياض. أحضر الباركود وهويتك.',
      'Amtiati: bag 231200021879 is ready for you at the branch in Malaz, Riyadh. Bring the barcode and your ID.',
    ],
    [
      'the city alone where the address is a single long line',
      'at-branch',
      { addressAR: 'أ'.repeat(90), addressEN: 'A'.repeat(250), city: 'Al-Khobar' },
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع الخبر. أحضر الباركود وهويتك.',
      'Amtiati: bag 231200021879 is ready for you at the branch in Al-Khobar. Bring the barcode and your ID.',
    ],
    [
      'an agent and his city, on the way back',
      'at-branch',
      { ...agent, city: 'Mina' },
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من وكيل منى 1، منى. أحضر الباركود وهويتك.',
      'Amtiati: bag 231200021879 is ready for you at Mina Agent 1, Mina. Bring the barcode and your ID.',
    ],
    [
      'one half of an agent’s name',
      'handed-over',
      agent,
      'أمتعتي: تسلّم وكيل منى 1 حقيبتك 231200021879.',
      'Amtiati: Mina Agent 1 received bag 231200021879 from you.',
    ],
    [
      'the whole of a name that is not in two languages',
      'handed-over',
      { name: 'Shop 4 · Mina' },
      'أمتعتي: تسلّم Shop 4 · Mina حقيبتك 231200021879.',
      'Amtiati: Shop 4 · Mina received bag 231200021879 from you.',
    ],
    [
      'the city of the courier’s first scan',
      'handed-over',
      { city: 'Makkah' },
      'أمتعتي: تسلّم شريك الشحن حقيبتك 231200021879 في مكة المكرمة.',
      'Amtiati: our shipping partner received bag 231200021879 from you in Makkah.',
    ],
    [
      'nothing where nothing is known',
      'at-branch',
      null,
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام. أحضر الباركود وهويتك.',
      'Amtiati: bag 231200021879 is ready for you. Bring the barcode and your ID.',
    ],
    [
      'the branch where it was collected',
      'collected',
      { city: 'Riyadh' },
      'أمتعتي: استُلمت حقيبتك 231200021879 من فرع الرياض. لم تستلمها؟ اتصل بنا.',
      'Amtiati: bag 231200021879 was collected at the branch in Riyadh. Not by you? Contact us.',
    ],
    [
      'the agent to bring it to, with as much of the address as there is room for',
      'label-issued',
      { ...agent, address: 'جهة الجمرات، مخيم 14، منى · Jamarat side, camp 14, Mina', city: 'Mina' },
      'أمتعتي: صدر باركود الطلب OD-1234567. رقم بوليصة حقيبتك 231200021879. سلّمها إلى وكيل منى 1، جهة الجمرات، مخيم 14، منى.',
      "Amtiati: the barcode of order OD-1234567 is ready. Your bag's airway bill: 231200021879. Hand it in at Mina Agent 1, Jamarat side, camp 14, Mina.",
    ],
    [
      'the branch to bring it to',
      'label-issued',
      { ...branch, city: 'Riyadh' },
      'أمتعتي: صدر باركود الطلب OD-1234567. رقم بوليصة حقيبتك 231200021879. سلّمها إلى فرع حي العليا، طريق العروبة، محل 4، الرياض.',
      "Amtiati: the barcode of order OD-1234567 is ready. Your bag's airway bill: 231200021879. Hand it in at the branch in Al Olaya Dist., Uruba St., shop 4, Riyadh.",
    ],
  ])('%s', (_, kind, place, ar, en) => {
    expect([textIn('ar', kind, { place }), textIn('en', kind, { place })]).toEqual([ar, en])
  })

  it.each<[string, OrderKind, Partial<MessageFacts>, string, string]>([
    [
      'the receiver, to the owner',
      'at-branch',
      { receiver: 'سامي' },
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، محل 4، الرياض. المستلم: سامي.',
      'Amtiati: bag 231200021879 is ready for سامي at the branch in Al Olaya Dist., Uruba St., shop 4, Riyadh.',
    ],
    [
      'no name that could be a link',
      'at-branch',
      { receiver: 'evil.example' },
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، محل 4، الرياض. المستلم كما سجّلته.',
      'Amtiati: bag 231200021879 is ready for its receiver at the branch in Al Olaya Dist., Uruba St., shop 4, Riyadh.',
    ],
    [
      'the owner and the city, to who was named',
      'receiver-named',
      { owner: 'Maryam' },
      'أمتعتي: اختير اسمك لاستلام الحقيبة 231200021879 في الرياض، والمرسل Maryam. نراسلك عند وصولها.',
      'Amtiati: Maryam named you to collect bag 231200021879 in Riyadh. We text you when it is there.',
    ],
    [
      'no owner under a name that could be a number',
      'receiver-named',
      { owner: 'call 0512345678' },
      'أمتعتي: اختير اسمك لاستلام الحقيبة 231200021879 في الرياض. نراسلك عند وصولها.',
      'Amtiati: you were named to collect bag 231200021879 in Riyadh. We text you when it is there.',
    ],
    [
      'branch and city, to the receiver, and what to bring',
      'receiver-at-branch',
      {},
      'أمتعتي: الحقيبة 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، محل 4، الرياض. أحضر هويتك ورقم الحقيبة.',
      'Amtiati: bag 231200021879 is ready for you to collect at the branch in Al Olaya Dist., Uruba St., shop 4, Riyadh. Bring your ID and this number.',
    ],
  ])('%s', (_, kind, change, ar, en) => {
    const place = { ...branch, city: 'Riyadh' }
    expect([textIn('ar', kind, { place, ...change }), textIn('en', kind, { place, ...change })]).toEqual([
      ar,
      en,
    ])
  })

  it.each(['call 0512345678', 'اتصل ٠٥٠ ٠٠٠ ٠٠٠٠', 'https://evil.example', 'evil.com', 'www.evil'])(
    'leaves out what could be a link or a number: %s',
    (text) => {
      expect(textIn('en', 'collected', { place: { city: text } })).toBe(
        'Amtiati: bag 231200021879 was collected. Not by you? Contact us.',
      )
      expect(textIn('en', 'handed-over', { place: { name: text } })).toBe(
        'Amtiati: our shipping partner received bag 231200021879 from you.',
      )
      expect(textIn('en', 'at-branch', { place: { addressEN: text, city: 'Riyadh' } })).toContain(
        ' at the branch in Riyadh. ',
      )
    },
  )
})

describe('a long place', () => {
  const letters = { ar: 'بتثجحخ', en: 'bcdfgh' }
  it.each(['paid', 'label-issued', 'at-branch', 'receiver-at-branch', 'collected'] as const)(
    'is cut in %s only where its next part would not fit',
    (kind) => {
      const lengths = fc.array(fc.integer({ min: 1, max: 70 }), { maxLength: 6 })
      const language = fc.constantFrom('ar' as const, 'en' as const)
      fc.assert(
        fc.property(
          language,
          language,
          lengths,
          fc.option(fc.integer({ min: 1, max: 90 }), { nil: null }),
          fc.option(fc.integer({ min: 12, max: 40 }), { nil: null }),
          fc.boolean(),
          (code, alphabet, partLengths, nameLength, receiverLength, isRich) => {
            const parts = partLengths.map((length, n) => (letters[alphabet][n] ?? '').repeat(length))
            const comma = code === 'ar' ? '، ' : ', '
            const name = nameLength === null ? '' : (alphabet === 'ar' ? 'و' : 'w').repeat(nameLength)
            const city = code === 'ar' ? 'الرياض' : 'Riyadh'
            const words = parts.join(comma)
            const place = name === '' ? { addressAR: words, addressEN: words } : { name, address: words }
            const text = textIn(code, kind, {
              place: { ...place, city: 'Riyadh' },
              receiver: receiverLength === null ? null : 'ع'.repeat(receiverLength),
              ...(isRich && { promised: longest, opening: { state: 'open', until: facts.claim.answerBy } }),
            })
            expect(segmentsOf(text)).toBeLessThanOrEqual(2)
            const upTo = (count: number) =>
              [name, ...parts.slice(0, count), city].filter((part) => part !== '').join(comma)
            const shown = [...parts.keys(), parts.length].findLast((count) => text.includes(upTo(count)))
            // Without the city the name alone is too long.
            if (shown === undefined || shown === parts.length) return
            const longer = text.replace(upTo(shown), upTo(shown + 1))
            // The first part of an address may cost a second part of the message.
            const most = name === '' && shown === 0 ? 2 : segmentsOf(text)
            expect(segmentsOf(longer)).toBeGreaterThan(most)
          },
        ),
      )
    },
  )
})

it.each([
  'امتعتي.com',
  'evil。com login',
  'evil．com',
  'اتصل ۰۵۵۱۲۳۴۵۶۷',
  '055_123_4567',
  'Your code is 4821, never share it',
  'code:4821',
  'اضغط/هنا',
])('a person’s name that says more than a name stands in no text: %s', (name) => {
  const texts = Object.keys(languages).flatMap((code) => [
    textIn(code, 'receiver-named', { owner: name }),
    textIn(code, 'at-branch', { receiver: name }),
  ])
  expect(texts.join()).not.toMatch(/com|login|۰|055_|code|4821|هنا/)
})

it.each(['Maryam Al-Harbi', 'مَريم الحربي', "O'Neil", 'فاطمة آل سعود', 'Zoë Łukasz'])(
  'a person’s name stands in texts: %s',
  (name) => {
    expect(textIn('ar', 'receiver-named', { owner: name })).toContain(`المرسل ${name}.`)
    expect(textIn('en', 'at-branch', { receiver: name })).toContain(`for ${name} at`)
  },
)

describe('the hours of the branch where a bag is', () => {
  /** Half past ten in Riyadh, on the weekday with the longest name. */
  const time = Date.parse('2027-06-16T07:30:00Z')
  const later: Opening = { state: 'closed', opensAt: time, isToday: false }
  const textsWith = (opening: Opening, change: MessageFacts['place'] = {}) =>
    ['ar', 'en'].map((language) =>
      textIn(language, 'at-branch', { place: { ...branch, city: 'Riyadh', ...change }, opening }),
    )

  it.each<[string, Opening, string, string]>([
    ['open', { state: 'open', until: time }, 'مفتوح حتى 10:30 ص.', 'shop 4, Riyadh. Open until 10:30.'],
    [
      'opening today',
      { state: 'closed', opensAt: time, isToday: true },
      'يفتح اليوم 10:30 ص.',
      'shop 4, Riyadh. Opens today at 10:30.',
    ],
    ['opening later', later, 'يفتح الأربعاء 10:30 ص.', 'Riyadh. Opens on Wednesday at 10:30.'],
  ])('stand beside its address, or in for its last words: %s', (_, opening, ar, en) => {
    expect(textsWith(opening)).toEqual([
      `أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، محل 4، الرياض. ${ar} أحضر الباركود وهويتك.`,
      `Amtiati: bag 231200021879 is ready for you at the branch in Al Olaya Dist., Uruba St., ${en} Bring the barcode and your ID.`,
    ])
  })

  it.each<Opening>([{ state: 'open' }, { state: 'unsure' }])(
    'are not told where not known: %j',
    (opening) => {
      expect(textsWith(opening)).toEqual(
        ['ar', 'en'].map((code) => textIn(code, 'at-branch', { place: { ...branch, city: 'Riyadh' } })),
      )
    },
  )

  it('cost no further part, beside the longest place', () => {
    const longest = { addressAR: 'أ'.repeat(28), addressEN: 'A'.repeat(28) }
    expect(textsWith(later, longest).map(segmentsOf)).toEqual([2, 1])
    expect(textsWith(later, longest).join()).toMatch(/الأربعاء.*Wednesday/)
    const mixed = textsWith(later, { addressEN: 'أ'.repeat(28) })[1] ?? ''
    expect(segmentsOf(mixed)).toBe(2)
    expect(mixed).not.toContain('Wednesday')
  })
})

describe('who collects the bag', () => {
  const at = Date.parse('2027-05-12T10:59:00+03:00')
  const changed = (language: string, receiver: string | null) =>
    textIn(language, 'receiver-changed', { orderId: 42, receiver, at })

  it('is not named where the name has more than letters, or is too long', () => {
    for (const name of ['Huda 0512345678', 'amtiati.com', 'ع'.repeat(41)]) {
      expect(changed('en', name)).toContain(': your bag has another receiver (')
      expect(changed('ar', name)).toContain(': تغيّر مستلم حقيبتك (')
      expect(textIn('en', 'paid', { receiver: name })).toContain(' Another person collects it.')
      expect(textIn('ar', 'paid', { receiver: name })).toContain(' يستلمها شخص آخر.')
    }
    for (const language of ['ar', 'en'])
      expect(segmentsOf(changed(language, 'ع'.repeat(40)))).toBeLessThanOrEqual(2)
  })
})

it.each([
  ['ar', false, 'SAR', 'أمتعتي: أُعيد إليك 49.00 ر.س، ولم يُحجز الطلب OD-21.'],
  ['ar', true, 'SAR', 'أمتعتي: أُعيد إليك 49.00 ر.س، والطلب OD-21 ما زال محجوزًا.'],
  ['en', false, 'SAR', 'Amtiati: SAR 49.00 was returned, OD-21 is not booked.'],
  ['en', true, 'EGP', 'Amtiati: EGP 49.00 was returned, OD-21 stays booked.'],
])(
  'a wrong amount that went back says what that means, in %s, booked: %s',
  (language, isPaid, currency, text) => {
    const returned = { amount: 4_900, currency }
    expect(textIn(language, 'wrong-amount', { orderId: 21, isPaid, returned })).toBe(text)
  },
)

it('a person without a known language gets Arabic', () => {
  for (const language of [null, 'fr'])
    expect(textIn(language, 'cancelled')).toBe('أمتعتي: أُلغي الطلب OD-1234567.')
})

it('parts are counted as networks do', () => {
  expect(['a'.repeat(160), 'a'.repeat(161), 'أ'.repeat(70), 'أ'.repeat(71), '’'].map(segmentsOf)).toEqual([
    1, 2, 1, 2, 1,
  ])
})

describe('the message about a claim', () => {
  const claim = {
    number: 'CL-118',
    answerBy: Date.parse('2027-05-27T00:00:00+03:00'),
    outcome: null,
    repeatedAt: null,
  }
  const told = (
    language: string,
    kind: OrderKind,
    change: Partial<NonNullable<MessageFacts['claim']>> = {},
  ) => textIn(language, kind, { orderId: 5604, claim: { ...claim, ...change } })

  it('names the moment of a second answer, so that no two messages are equal', () => {
    const repeatedAt = Date.parse('2027-05-23T14:05:00+03:00')
    expect(told('en', 'claim-answered', { repeatedAt })).toBe(
      'Amtiati: we answered claim CL-118. It is on the page of order OD-5604. (Sunday 14:05)',
    )
  })
})

describe('what is promised of a bag', () => {
  const at = (kind: OrderKind, change: Partial<MessageFacts> = {}) =>
    ['ar', 'en'].map((language) =>
      textIn(language, kind, { place: { ...branch, city: 'Riyadh' }, promised, ...change }),
    )

  it('gives way to the name of the receiver, the day for handing in too where both are too long', () => {
    const [arabic] = at('paid', { receiver: 'هدى عمر', place: null })
    expect(arabic).toBe(
      'أمتعتي: تم الدفع للطلب OD-1234567. رقم بوليصة حقيبتك 231200021879. المستلم: هدى عمر. سلّمها حتى السبت 29 مايو.',
    )
    const name = 'ع'.repeat(40)
    const [named] = at('paid', { receiver: name, promised: longest, place: null })
    expect(named?.endsWith(`231200021879. المستلم: ${name}.`)).toBe(true)
    const [unnamed] = at('paid', { receiver: 'ع'.repeat(100), promised: longest, place: null })
    expect(unnamed).toContain('231200021879. يستلمها شخص آخر.')
    const awbs = ['231200021879', '231200021880']
    for (const text of at('paid', { awbs, receiver: 'ع'.repeat(40), promised: longest }))
      for (const awb of awbs) expect(text).toContain(awb)
  })

  it('is the day until which the branch keeps it, beside less of a long address', () => {
    expect(at('at-branch')).toEqual([
      'أمتعتي: حقيبتك 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، الرياض. تُحفظ حتى الأحد 20 يونيو. أحضر الباركود وهويتك.',
      'Amtiati: bag 231200021879 is ready for you at the branch in Al Olaya Dist., Uruba St., Riyadh. Kept there until Sunday 20 June. Bring the barcode and your ID.',
    ])
    expect(at('receiver-at-branch')[0]).toBe(
      'أمتعتي: الحقيبة 231200021879 جاهزة للاستلام من فرع حي العليا، طريق العروبة، الرياض. تُحفظ حتى الأحد 20 يونيو. أحضر هويتك ورقم الحقيبة.',
    )
    for (const text of at('at-branch', { promised: longest, place: { ...facts.place, city: 'Riyadh' } }))
      expect(text).toMatch(/29 (سبتمبر|September)/)
  })

  it.each<[DaySpan, string, string]>([
    [[0, 0], 'أقل من يوم', 'less than a day'],
    [[0, 3], '3 أيام', 'up to 3 days'],
    [[1, 1], 'يوم', '1 day'],
    [[1, 2], 'يوم أو يومين', '1 to 2 days'],
    [[1, 6], 'يوم إلى 6 أيام', '1 to 6 days'],
    [[2, 2], 'يومين', '2 days'],
    [[3, 6], '3 إلى 6 أيام', '3 to 6 days'],
    [[9, 11], '9 إلى 11 يومًا', '9 to 11 days'],
  ])('reads well for %j days', (transit, arabic, english) => {
    const texts = at('paid', { promised: { ...promised, transit, handInUntil: undefined } })
    expect(texts[0]).toContain(`. تصل عادةً خلال ${arabic}.`)
    expect(texts[1]).toContain(`. Usually there in ${english}.`)
    expect(segmentsOf(texts[1] ?? '')).toBe(1)
  })
})
