import { describe, expect, it, vi } from 'vitest'
import { createClock } from '#mock/platform/clock.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { printPage, readLabel } from '#test/kit/browser/pdf.ts'
import { code128Modules } from './shipping.barcode.ts'
import { agents, offices } from './shipping.directory.ts'
import { createFixedLabel, createLabelCache, labelSizeMm, renderLabel } from './shipping.label.ts'
import { createShippingState, type ShipmentRecord } from './shipping.state.ts'

const noon = Date.UTC(2027, 4, 18, 12, 30)

function shipmentOf(parts: Parameters<typeof createRequest>[0] = {}, now = noon): ShipmentRecord {
  return createShippingState({ clock: createClock(() => now) }).createShipment(createRequest(parts))
}

/** Replaces ligature characters by the letters they stand for: a viewer may copy either. */
function letters(text: string): string {
  return text.normalize('NFKC')
}

function lineWith(text: string, word: string): string {
  return text.split(/\r?\n/).find((line) => line.includes(word)) ?? ''
}

const fortyArabic = 'عبدالرحمن محمد عبدالعزيز الدوسري القحطاني'
const fortyLatin = 'Muhammad Abdulrahman Al-Mutairi Al-Harbi'

/** Names, and the words that a viewer must copy from the label in this order. */
const names: [name: string, words: string[]][] = [
  ['علي بن أبي طالب', ['علي', 'بن', 'أبي', 'طالب']],
  ['لؤلؤة السلامة الإلهام', ['لؤلؤة', 'السلامة', 'الإلهام']],
  ['منى مصطفى العتيبي', ['منى', 'مصطفى', 'العتيبي']],
  ['عبدالله صلاح الدين', ['عبدالله', 'صلاح', 'الدين']],
  ['گل پرى ڈار چودهرى', ['گل', 'پرى', 'ڈار', 'چودهرى']],
  [fortyArabic, fortyArabic.split(' ')],
  [fortyLatin, fortyLatin.split(' ')],
  ['Siti Nurhaliza binti Tarudin', ['Siti', 'Nurhaliza', 'binti', 'Tarudin']],
  ['Şükrü Öztürk Çağlayan', ['Şükrü', 'Öztürk', 'Çağlayan']],
]

describe('the label', () => {
  it('is one page of 100 by 150 millimetres', async () => {
    const { pageSizeMm } = await readLabel(await renderLabel(shipmentOf()))
    expect(pageSizeMm.width).toBeCloseTo(100, 2)
    expect(pageSizeMm.height).toBeCloseTo(150, 2)
  })

  it('has a barcode that reads as its AWB, and the AWB in digits', async () => {
    // Each simulator starts at another number, so that all digits differ.
    for (const start of [noon, Date.UTC(2026, 10, 20, 9, 8, 7, 654), Date.UTC(2031, 0, 2, 3, 4, 5, 678)]) {
      const shipment = shipmentOf({}, start)
      const { barcode, text } = await readLabel(await renderLabel(shipment))
      expect(barcode).toBe(shipment.awb)
      expect(text).toContain(shipment.awb)
    }
  })

  it.each(offices.filter((_, index) => index % 32 === 0))(
    'scans and shows the branch $code in $cityName',
    async (office) => {
      const country = { Dubai: 'AE', 'Abu Dhabi': 'AE', Manama: 'BH' }[office.cityName] ?? 'SA'
      const shipment = shipmentOf({
        SMSARetailID: office.code,
        ConsigneeAddress: { City: office.cityName, Country: country, AddressLine1: office.address },
      })
      const { barcode, text } = await readLabel(await renderLabel(shipment))
      expect(barcode).toBe(shipment.awb)
      expect(text).toContain(office.cityName)
      for (const word of office.addressAR.match(/\p{Script=Arabic}+/gu) ?? [])
        expect(letters(text)).toContain(word.replace('،', ''))
      for (const word of office.address.match(/\p{Script=Latin}{3,}/gu) ?? []) expect(text).toContain(word)
    },
  )

  it.each(names)('shows the receiver %s with the words in reading order', async (name, words) => {
    const shipment = shipmentOf({ ConsigneeAddress: { ContactName: name } })
    const { barcode, text } = await readLabel(await renderLabel(shipment))
    expect(barcode).toBe(shipment.awb)
    expect(letters(text)).toContain(words.join(' '))
  })

  it.each([
    ['محمد Ahmed علي 12', ['محمد', 'Ahmed', 'علي', '12']],
    ['حاج 2027 من Jakarta رقم 45', ['حاج', '2027', 'من', 'Jakarta', 'رقم', '45']],
  ])('keeps %s together, each number with its digits in order', async (name, words) => {
    const { text } = await readLabel(
      await renderLabel(shipmentOf({ ConsigneeAddress: { ContactName: name } })),
    )
    const line = letters(lineWith(letters(text), words[0] ?? ''))
    expect(line.split(/\s+/)).toEqual(words)
  })

  it.each(['+966501234567', '+6281234567890', '+201001234567'])(
    'shows the phone %s with its leading plus',
    async (phone) => {
      const shipment = shipmentOf({ ConsigneeAddress: { ContactPhoneNumber: phone } })
      const { text } = await readLabel(await renderLabel(shipment))
      expect(lineWith(text, phone.slice(1))).toBe(phone)
    },
  )

  it('keeps the phone and the numbers of an Arabic address in order', async () => {
    const shipment = shipmentOf({
      SMSARetailID: '0',
      ConsigneeAddress: { AddressLine1: 'شارع الملك محل ١٢ هاتف +966500000101', AddressLine2: '' },
    })
    const { text } = await readLabel(await renderLabel(shipment))
    expect(text.match(/\+966500000101/g)).toHaveLength(2)
    expect(letters(text)).toMatch(/محل 12/)
  })

  it('shows agent, order, piece, weight, date and service', async () => {
    const shipment = shipmentOf({ Parcels: 2, Weight: 12.5, OrderNumber: 'OD-1042-2', ServiceCode: 'EDDL' })
    const { text } = await readLabel(await renderLabel(shipment, 1))
    for (const word of [
      'Bawazir',
      'OD-1042-2',
      '2/2',
      '12.5 KG',
      '2027-05-18',
      'EDDL',
      'RUH',
      'الرياض',
      'Riyadh',
    ])
      expect(text).toContain(word)
    expect(text).toContain(agents[0]?.phone)
  })

  it('gives each piece its own barcode', async () => {
    const shipment = shipmentOf({ Parcels: 3 })
    const read = await Promise.all(
      shipment.awbs.map(async (_, index) => readLabel(await renderLabel(shipment, index))),
    )
    expect(read.map(({ barcode }) => barcode)).toEqual(shipment.awbs)
    await expect(renderLabel(shipment, 3)).rejects.toThrow(RangeError)
  })

  it('prints the address as the destination when the named branch is in another city', async () => {
    const shipment = shipmentOf({ ConsigneeAddress: { City: 'Mina', AddressLine1: 'Camp 14, Jamarat side' } })
    const { text } = await readLabel(await renderLabel(shipment))
    expect(text).toContain('Jamarat')
    expect(text).toContain('MNA')
    expect(text).not.toContain('collection')
  })

  it('shows the amount to collect in cash, and only then', async () => {
    const withCash = await readLabel(await renderLabel(shipmentOf({ CODAmount: 50 })))
    expect(withCash.text).toContain('SAR 50.00')
    const without = await readLabel(await renderLabel(shipmentOf()))
    expect(without.text).not.toContain('SAR')
  })

  it('gives the same bytes for the same shipment, whatever was drawn in between', async () => {
    const shipment = shipmentOf()
    const first = await renderLabel(shipment)
    await renderLabel(shipmentOf({ ConsigneeAddress: { ContactName: 'Another\u2011Name \u2010 علي' } }))
    expect((await renderLabel(shipment)).equals(first)).toBe(true)
  })

  describe('with the longest texts the partner takes', () => {
    const extremes: [string, string, string][] = [
      ['one endless word', 'W'.repeat(150), 'W'.repeat(100)],
      ['many Latin words', 'Wide Words '.repeat(13).trim(), 'Many Words '.repeat(9).trim()],
      [
        'many Arabic words',
        'عبدالرحمن القحطاني '.repeat(8).trim().slice(0, 150),
        'حي العزيزية شارع '.repeat(6).trim(),
      ],
      ['stacked marks', 'مُحَمَّدٌ '.repeat(16).trim(), 'شَارِعُ الْمَلِكِ '.repeat(5).trim()],
    ]

    it.each(extremes)('stays inside its boxes: %s', async (_what, name, line) => {
      const shipment = shipmentOf({
        OrderNumber: 'OD-'.padEnd(50, '9'),
        ContentDescription: line,
        SMSARetailID: '0',
        CODAmount: 9999.99,
        ConsigneeAddress: {
          ContactName: name,
          AddressLine1: line,
          AddressLine2: line,
          City: 'Hafar Al Batin',
        },
        ShipperAddress: { ContactName: name, AddressLine1: line, AddressLine2: line },
      })
      const pdf = await renderLabel(shipment)
      expect((await readLabel(pdf)).barcode).toBe(shipment.awb)

      const page = await printPage(pdf, 300)
      const { width, height } = labelSizeMm
      const margin = 4.5
      expect(page.hasInk({ x: 0, y: 0, width: margin, height })).toBe(false)
      expect(page.hasInk({ x: width - margin, y: 0, width: margin, height })).toBe(false)
      expect(page.hasInk({ x: 0, y: 0, width, height: 3 })).toBe(false)
      expect(page.hasInk({ x: 0, y: height - 3, width, height: 3 })).toBe(false)
      // No text of a section may reach the line below it.
      for (const rule of [11.5, 34.2, 72.2, 91.4, 109.6]) {
        expect(page.hasInk({ x: 0, y: rule + 0.05, width, height: 0.2 })).toBe(true)
        expect(page.hasInk({ x: 0, y: rule - 0.3, width, height: 0.2 })).toBe(false)
      }
    })
  })

  it('keeps ten modules and more of white on both sides of the barcode', async () => {
    const page = await printPage(await renderLabel(shipmentOf()), 300)
    const modules = code128Modules('231200021879').reduce((sum, each) => sum + each, 0)
    expect(modules).toBe(101)
    const [barsMm, quietMm] = [modules * 0.5, 10 * 0.5]
    const left = (labelSizeMm.width - barsMm) / 2
    const rows = { y: 112, height: 22 }
    expect(page.hasInk({ ...rows, x: left - quietMm, width: quietMm - 0.1 })).toBe(false)
    expect(page.hasInk({ ...rows, x: left + barsMm + 0.1, width: quietMm - 0.1 })).toBe(false)
    expect(page.hasInk({ ...rows, x: left, width: 1 })).toBe(true)
  })
})

describe('the barcode', () => {
  it.each(['12345', '12 34', '', '12a4'])('refuses %j, which set C cannot carry', (text) => {
    expect(() => code128Modules(text)).toThrow(TypeError)
  })
})

describe('the label cache', () => {
  const draw = () =>
    vi.fn(async (shipment: ShipmentRecord, piece: number) => Buffer.from(`${shipment.sawb}/${piece}`))
  const state = createShippingState({ clock: createClock(() => noon) })
  const shipments = [1, 2, 3].map(() => state.createShipment(createRequest({ Parcels: 2 })))
  const [one, two, three] = shipments as [ShipmentRecord, ShipmentRecord, ShipmentRecord]

  it('draws a label once for simultaneous requests', async () => {
    const render = draw()
    const label = createLabelCache(render)
    const [first, second] = await Promise.all([label(one, 0), label(one, 0)])
    expect(first).toBe(second)
    expect(await label(one, 0)).toBe(first)
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('keeps a label for each piece of a shipment', async () => {
    const label = createLabelCache(draw())
    expect(await label(one, 0)).not.toEqual(await label(one, 1))
  })

  it('drops the label used longest ago when it is full', async () => {
    const render = draw()
    const label = createLabelCache(render, 2)
    await label(one, 0)
    await label(two, 0)
    await label(one, 0)
    await label(three, 0)
    await label(one, 0)
    expect(render).toHaveBeenCalledTimes(3)
    await label(two, 0)
    expect(render).toHaveBeenCalledTimes(4)
  })

  it('does not keep a failure', async () => {
    const render = draw().mockRejectedValueOnce(new Error('no ink'))
    const label = createLabelCache(render)
    await expect(label(one, 0)).rejects.toThrow('no ink')
    expect(await label(one, 0)).toEqual(Buffer.from(`${one.sawb}/0`))
  })
})

describe('the fixed label', () => {
  it('is one file for every shipment, drawn once, and names none of them', async () => {
    const render = vi.fn(renderLabel)
    const label = createFixedLabel(render)
    const [one, other] = [shipmentOf({}, noon), shipmentOf({}, noon + 1_000)]
    const files = await Promise.all([label(one, 0), label(other, 0), label(one, 0)])
    expect(render).toHaveBeenCalledTimes(1)
    for (const file of files) expect(file.equals(files[0])).toBe(true)
    const { barcode, text } = await readLabel(files[0])
    expect(barcode).toBe('000000000000')
    for (const { awb, reference } of [one, other]) {
      expect(text).not.toContain(awb)
      expect(text).not.toContain(reference)
    }
  })
})
