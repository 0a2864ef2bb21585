// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { modulesOf } from '#client/entities/airway-bill/barcode.tsx'
import { drawTag } from './tag-drawing.tsx'
import { makeTagPicture } from './tag-picture.ts'

/** jsdom draws nothing: the test records the drawn texts. Each letter counts as half as wide as high. */
const written: { readonly text: string; readonly width: number }[] = []
let fontsLoaded: string[] = []

function widthOf(text: string, font: string): number {
  return (text.length * Number(/(\d+)px/.exec(font)?.[1])) / 2
}

beforeEach(() => {
  written.length = 0
  fontsLoaded = []
  const context = {
    font: '',
    fillText: (text: string) => written.push({ text, width: widthOf(text, context.font) }),
    measureText: (text: string) => ({ width: widthOf(text, context.font) }),
    fill() {},
    stroke() {},
    setTransform() {},
    resetTransform() {},
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['png'])))
  vi.stubGlobal('Path2D', class {})
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: {
      load: async (_: string, text: string) => {
        expect(written).toEqual([])
        fontsLoaded.push(text)
      },
    },
  })
})
afterEach(() => {
  Reflect.deleteProperty(document, 'fonts')
})

const address = 'فرع السويدي، شارع السويدي العام، بجوار مسجد الراجحي، حي السويدي الغربي، مقابل الحديقة العامة'
const pass = {
  awb: '290012345678',
  orderNumber: 'OD-7',
  weight: undefined,
  to: 'إلى',
  city: 'الرياض',
  code: 'RUH',
  branch: address,
  receiver: { name: 'المستلم', value: 'Ọlábísí Adébáyọ̀' },
} as const

it('loads the fonts of all that it writes before it draws', async () => {
  expect(await makeTagPicture(pass, 'rtl')).toBeInstanceOf(File)
  expect(fontsLoaded.length).toBeGreaterThan(0)
  for (const text of fontsLoaded)
    for (const part of [pass.branch, pass.receiver.value, pass.city, pass.awb]) expect(text).toContain(part)
})

it('wraps a long address between words instead of squeezing it', async () => {
  await makeTagPicture(pass, 'rtl')
  const lines = written.filter(({ text }) => text.length > 1 && address.includes(text))
  expect(lines.map(({ text }) => text).join(' ')).toBe(address)
  expect(lines.length).toBeGreaterThan(1)
  for (const { width } of lines) expect(width).toBeLessThanOrEqual(952)
})

it('draws each module of the barcode, all of one width in whole pixels, with white at both ends', () => {
  const modules = modulesOf(pass.awb)
  const bars = drawTag('--city-ruh', '--paper', modules).at(-1)?.d ?? ''
  const found = [...bars.matchAll(/M(\d+) \d+h(\d+)v/g)].map(
    ([, x, size]) => [Number(x), Number(size)] as const,
  )
  const [left = 0] = found[0] ?? []
  const drawn = Array.from({ length: modules.length }, (_, index) =>
    found.some(([x, size]) => x <= left + index * 8 && left + index * 8 < x + size) ? '1' : '0',
  )
  expect(drawn.join('')).toBe(modules)
  // Ten modules at least (ISO/IEC 15417).
  expect(left).toBeGreaterThanOrEqual(80)
  expect(left + modules.length * 8).toBeLessThanOrEqual(1080 - 80)
})
