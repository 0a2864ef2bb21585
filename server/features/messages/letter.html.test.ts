import { describe, expect, it } from 'vitest'
import { languages } from '#shared/platform/language.ts'
import { readScreen } from '#test/kit/browser/pdf.ts'
import { renderLetter } from './letter.html.ts'
import { accountLetter, codeLetter, documentsLetter, type LetterBag, receiverLetter } from './letter.texts.ts'

const codes = Object.values(languages).map(({ code }) => code)
const url = 'https://example.com/orders/42'
const stopUrl = 'https://example.com/email-stop/secret'
const at = Date.parse('2027-05-18T09:00:00+03:00')

const agent = {
  name: 'وكيل منى 1 · Mina Agent 1',
  address: 'مخيم 14، منى · Camp 14, Mina',
  city: 'Mina',
  coordinates: null,
}
const branch = {
  addressAR: 'حي العليا - طريق العروبة، محل 4',
  addressEN: 'Al Olaya Dist. - Uruba St., shop 4',
  city: 'Riyadh',
  coordinates: null,
}
const bag: LetterBag = {
  awb: '231200021879',
  hasLabel: true,
  origin: agent,
  destination: branch,
  endsAtBranch: true,
  receiver: 'Huda Omar',
  promised: { transit: [2, 4], handInUntil: '2027-05-29', storageDays: 7 },
}
const back: LetterBag = {
  awb: '231200021880',
  hasLabel: true,
  origin: branch,
  destination: agent,
  endsAtBranch: false,
  receiver: null,
  promised: undefined,
}
const documents = (language: string, bags: readonly LetterBag[] = [bag], owner: string | null = 'Maryam') =>
  documentsLetter(language, { orderId: 42, owner, bags, url })
const changed = (change: Partial<LetterBag>): LetterBag => ({ ...bag, ...change })

describe.each(codes)('in %s', (language) => {
  const letters = {
    documents: documents(language),
    'two ways': documents(language, [bag, back]),
    'without barcode': documents(language, [changed({ awb: null, hasLabel: false })]),
    receiver: receiverLetter(language, { orderId: 42, receiver: null, at, url }),
    'number changed': accountLetter(language, 'number-changed-letter', at),
    'number waits': accountLetter(language, 'number-waits-letter', at),
    'email changed': accountLetter(language, 'email-changed-letter', at),
    'email added': accountLetter(language, 'email-added-letter', at, stopUrl),
    code: codeLetter(language, '4071'),
  }

  it.each(Object.entries(letters))('%s: loads nothing, and links only to its own page', (name, letter) => {
    const { html, text, pictures } = renderLetter(letter)
    expect(html).toContain(`<html lang="${language}" dir="${languages[language].direction}">`)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)
    const own = name === 'email added' ? [stopUrl] : text.includes(url) ? [url] : []
    expect(links).toEqual(own)
    const sources = [...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source)
    expect(new Set(sources)).toEqual(new Set(pictures.map(({ cid }) => `cid:${cid}`)))
    expect(html).not.toMatch(/url\(|@import|<script|<link|undefined|null|\{\{/)
    // Larger ones are cut off by Gmail.
    expect(Buffer.byteLength(html)).toBeLessThan(102_000)
  })

  it.each(Object.entries(letters))('%s: shows all words without pictures', (_, letter) => {
    const { html, text } = renderLetter(letter)
    const [, body = ''] = html.split('</head>')
    const words = (some: string) => new Set(some.match(/[\p{L}\p{M}\d]+/gu))
    const shown = words(
      body.replace(/<div style="display:none.*?<\/div>/s, '').replaceAll(/<br>|<[^>]*>/g, ' '),
    )
    const missing = [...words(text.replaceAll(/https:\S+/g, ''))].filter((word) => !shown.has(word))
    expect(missing).toEqual([])
    expect(text).not.toMatch(/[\u2066-\u2069\u200e\u200f]|<|&#|\n\n\n/)
  })

  it('has the bars of each bag, which a scanner reads', async () => {
    const { pictures, html } = renderLetter(letters['two ways'])
    const bars = pictures.filter(({ cid }) => cid.startsWith('barcode'))
    expect(await Promise.all(bars.map(({ png }) => readScreen(png)))).toEqual([bag.awb, back.awb])
    expect(html).toContain('width="363" height="112"')
  })
})

it('a letter says days only where they are promised', () => {
  expect(renderLetter(documents('ar')).text).toContain(
    'حتى نهاية السبت 23 ذو الحجة، 29 مايو\n\nاستلمها من هنا: فرع حي العليا، الرياض\nطريق العروبة، محل 4\nتصل عادةً خلال يومين إلى 4 أيام من تسليمها.\nتُحفظ لك 7 أيام من وصولها',
  )
  for (const language of codes) {
    const { text, html } = renderLetter(documents(language, [changed({ promised: undefined })]))
    expect(text).not.toMatch(/عادة|usually|تُحفظ|Kept|حتى نهاية|By the end/)
    expect(html).not.toContain('class="until"')
  }
})

it('a letter that another service sends has no pictures', () => {
  const { html, pictures, subject } = renderLetter(codeLetter('en', '4071'), { isTemplate: true })
  expect([pictures, html.includes('<img'), subject]).toEqual([[], false, 'Your code: 4071'])
})

describe('what strangers write', () => {
  const hostile = '<img src=https://evil.example/x onerror=alert(1)>"\'&<a href="https://evil.example">'
  const places = [
    { name: hostile, address: hostile, city: 'Mina', coordinates: null },
    {
      addressAR: `حي <b>${hostile}</b>`,
      addressEN: `Dist. <b> - ${hostile}`,
      city: '<i>"Riyadh',
      coordinates: null,
    },
  ] as const

  it.each(codes)('is text, never a tag or a link, in %s', (language) => {
    const [origin, destination] = places
    const evil = changed({ origin, destination, receiver: hostile })
    const { html, text } = renderLetter(documents(language, [evil], hostile))
    const tags = new Set([...html.matchAll(/<([a-z]\w*)/g)].map(([, tag]) => tag))
    const own = new Set(
      [...renderLetter(documents(language)).html.matchAll(/<([a-z]\w*)/g)].map(([, tag]) => tag),
    )
    expect([...tags].filter((tag) => !own.has(tag))).toEqual([])
    expect(html).not.toMatch(/<[^>]*(onerror|evil)/)
    expect(`${html}${text}`).not.toContain('evil.example')
  })

  it('cannot turn the words around a name, with marks of direction of its own', () => {
    const turned = 'Huda\u202e\u2068 Omar\u2069\u200f'
    const origin = { name: `${turned}\u2066`, address: 'x\u202ey, Mina', city: 'Mina', coordinates: null }
    for (const language of codes) {
      const { html, text } = renderLetter(documents(language, [changed({ origin, receiver: turned })], null))
      expect(`${html}${text}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/)
      expect(html.match(/<bdi>/g)?.length).toBe(html.match(/<\/bdi>/g)?.length)
    }
  })

  it.each([
    'مَريم الحربي',
    'Zoë Łukasz',
    'Ольга Иванова',
    'Γιώργος Παπάς',
    '王小明',
    'さくら ゆき',
    '김민준',
    'राम शर्मा',
    'রহিম উদ্দিন',
    'அருண் குமார்',
    'สมชาย ใจดี',
    'אברהם כהן',
    "O'Neil Smith-Jones",
  ])('is a name with its own direction, in every script: %s', (name) => {
    for (const language of codes) {
      const { html, text } = renderLetter(documents(language, [changed({ receiver: name })]))
      expect(html).toContain(`<bdi>${name.replaceAll("'", '&#39;')}</bdi>`)
      expect(text).toContain(`: ${name}\n`)
    }
  })
})
