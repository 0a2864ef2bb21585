import { brand } from '#shared/platform/brand.ts'
import { isoOf } from '#shared/platform/instant.ts'

export interface CalendarEvent {
  /** The id must be the same in every file, so that a calendar updates the event. */
  readonly uid: string
  readonly from: number
  readonly to: number
  readonly summary: string
  readonly description: string
  readonly location: string | undefined
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | null
  readonly url: string
}

export function calendarOf(events: readonly CalendarEvent[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${brand.name.en}//EN`,
    ...events.flatMap((event) => linesOf(event, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function linesOf(event: CalendarEvent, now: number) {
  const { uid, from, to, summary, description, location, coordinates, url } = event
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${timeOf(now)}`,
    // A later file must have a higher sequence, so that calendars replace the event.
    `SEQUENCE:${Math.floor(now / 60_000)}`,
    `DTSTART:${timeOf(from)}`,
    `DTEND:${timeOf(to)}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    ...(location === undefined ? [] : [`LOCATION:${escaped(location)}`]),
    ...(coordinates === null ? [] : [`GEO:${coordinates.latitude};${coordinates.longitude}`]),
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

const timeOf = (epochMs: number) => isoOf(epochMs).replace(/\.\d{3}|[-:]/g, '')

/** A text of the partner must not begin a new line of the file (RFC 5545, 3.3.11). */
const escaped = (text: string) =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')

const longestLine = 75

/** A line has at most 75 bytes, and a continuation begins with a space (RFC 5545, 3.1). */
function folded(line: string) {
  let bytes = 0
  let out = ''
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > longestLine) {
      out += '\r\n '
      bytes = 1
    }
    out += character
    bytes += size
  }
  return out
}
