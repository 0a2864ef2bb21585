// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { renderPage } from '#test/kit/client/render-page.tsx'
import { OpeningLine } from './branch-hours.tsx'

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
  expect(texts).toEqual([ar, en])
})
