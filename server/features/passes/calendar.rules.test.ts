import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, calendarOf } from './calendar.rules.ts'

const now = Date.parse('2027-06-13T09:00:00.400Z')
const event: CalendarEvent = {
  uid: '290012345678-collection@amtiati.example',
  from: Date.parse('2027-06-18T16:00:00+03:00'),
  to: Date.parse('2027-06-18T20:00:00+03:00'),
  summary: 'استلام حقيبتك من فرع الرياض',
  description:
    'أحضر الباركود وهويتك. بوليصة الشحن: 290012345678\nOD-42; a\\b, c\nhttps://amtiati.example/orders/42',
  location: 'الملز، شارع صلاح الدين الأيوبي, الدور الأول; بجوار محطة القطار الرئيسية بمدينة الرياض',
  coordinates: { latitude: 24.66, longitude: 46.73 },
  url: 'https://amtiati.example/orders/42',
}

/** Read by another parser. */
const eventsOf = (file: string) =>
  new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent').map((part) => new ICAL.Event(part))

describe('a file for calendars', () => {
  it('is read as it was meant: texts with every character, times in UTC', () => {
    const [read, ...more] = eventsOf(calendarOf([event], now))
    expect(more).toEqual([])
    const { uid, summary, description, location } = event
    expect(read).toMatchObject({ uid, summary, description, location })
    expect(read?.startDate.zone).toBe(ICAL.Timezone.utcTimezone)
    expect(read?.startDate.toJSDate().getTime()).toBe(event.from)
    expect(read?.endDate.toJSDate().getTime()).toBe(event.to)
    expect(read?.component.getFirstPropertyValue('geo')).toEqual([24.66, 46.73])
    expect(read?.component.getFirstPropertyValue('url')).toBe(event.url)
    expect(String(read?.component.getFirstPropertyValue('dtstamp'))).toBe('2027-06-13T09:00:00Z')
  })

  it('holds each event, and leaves out what is not known of its place', () => {
    const bare = { ...event, uid: 'b@a', location: undefined, coordinates: null }
    const [first, second] = eventsOf(calendarOf([event, bare], now))
    expect([first?.uid, second?.uid]).toEqual([event.uid, 'b@a'])
    expect(second?.component.hasProperty('location')).toBe(false)
    expect(second?.component.hasProperty('geo')).toBe(false)
  })

  it('takes no line of its own from a place: breaks of every kind are text, other control characters are gone', () => {
    const location = 'Malaz\rURL:https://a.example\r\nNorth\nUpper\tfloor\u0000\u0085'
    const file = calendarOf([{ ...event, location }], now)
    expect(file).not.toMatch(/\r(?!\n)|(?<!\r)\n|[^\P{Cc}\r\n]/u)
    expect(eventsOf(file)[0]?.location).toBe('Malaz\nURL:https://a.example\nNorth\nUpperfloor')
  })

  it('is newer than each file made before it', () => {
    const sequenceAt = (at: number) => eventsOf(calendarOf([event], at))[0]?.sequence ?? 0
    expect(sequenceAt(now + 60_000)).toBeGreaterThan(sequenceAt(now))
    // An integer in RFC 5545.
    expect(sequenceAt(Date.parse('2099-12-31T00:00:00Z'))).toBeLessThan(2 ** 31)
  })

  it('has lines of 75 bytes at most, ended by CR and LF, with no character divided', () => {
    const lines = calendarOf([event], now).split('\r\n')
    expect(lines.at(-1)).toBe('')
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([])
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([])
    expect(lines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(2)
  })
})
