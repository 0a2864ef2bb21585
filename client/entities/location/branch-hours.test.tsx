// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { plainText } from '#test/kit/client/plain-text.ts'
import { renderPage } from '#test/kit/client/render-page.tsx'
import { HoursOfWeek, OpeningLine } from './branch-hours.tsx'

const at = (time: string) => Date.parse(`2027-06-18T${time}:00+03:00`)

it.each([
  [{ state: 'open' }, 'مفتوح الآن', 'Open now'],
  [{ state: 'open', until: at('23:00') }, 'مفتوح الآن حتى 11:00 م', 'Open now until 23:00'],
  [
    { state: 'closed', opensAt: at('16:00'), isToday: true },
    'مغلق الآن، ويفتح اليوم الساعة 4:00 م',
    'Closed now. Opens today at 16:00',
  ],
  [
    { state: 'closed', opensAt: at('00:30'), isToday: false },
    'مغلق الآن، ويفتح يوم الجمعة الساعة 12:30 ص',
    'Closed now. Opens on Friday at 00:30',
  ],
  [
    { state: 'unsure' },
    'لا نعرف أوقات هذا الفرع في رمضان والحج والعيدين. اتصل قبل أن تذهب.',
    'The hours of this branch in Ramadan, Hajj and Eid are not known. Call before you go.',
  ],
  [undefined, '', ''],
] as const)('%j is told in Riyadh’s time', (opening, ar, en) => {
  const texts = (['ar', 'en'] as const).map((language) => {
    const { container, unmount } = renderPage(<OpeningLine opening={opening} />, { language })
    const text = container.textContent
    unmount()
    return text
  })
  expect(texts.map(plainText)).toEqual([ar, en])
})

it('the hours of a week are one line, and a shift does not break', () => {
  const hours = {
    week: [
      { days: [6, 0, 1, 2, 3, 4], from: '09:00', to: '12:00' },
      { days: [6, 0, 1, 2, 3, 4], from: '16:00', to: '21:00' },
      { days: [5], from: '16:00', to: '23:00' },
    ],
  }
  const texts = (['ar', 'en'] as const).map((language) => {
    const { container, unmount } = renderPage(<HoursOfWeek hours={hours} />, { language })
    const text = container.textContent
    // A point that is read aloud stands before its days; the style sheet draws one that no line ends with.
    const points = [...container.querySelectorAll('span')].filter((part) => part.textContent.trim() === '·')
    expect(points.map((point) => point.parentElement?.firstElementChild === point)).toEqual([true])
    unmount()
    return text
  })
  expect(texts.map(plainText)).toEqual([
    'السبت–الخميس 9 ص–12 م، 4–9 م · الجمعة 4–11 م',
    'Sat–Thu 9–12, 16–21 · Fri 16–23',
  ])
})
