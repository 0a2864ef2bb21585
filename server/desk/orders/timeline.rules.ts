import { auditedViewKinds, type EventKind } from '#server/features/history/history.kinds.ts'
import type { StoredEvent } from '#server/features/history/history.ts'
import type { Row } from '#server/platform/database/schema.ts'
import { maskedPhone } from '#server/platform/masks.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'

export type Line = Omit<TimelineLine, 'at' | 'text'> & {
  readonly at: number
}

export const withoutLine = [
  ...auditedViewKinds,
  'view-refused',
  'arrival-expected',
  'bag-void',
  'bag-valid',
  'signed-in',
  'signed-in-again',
  'sign-in-refused',
  'signed-out',
  'device-admitted',
  'all-sessions-ended',
  'stops-changed',
  'list-accepted',
  'worker-paused',
  'worker-resumed',
  'mode-set',
  'data-deleted',
] as const satisfies readonly EventKind[]

type MessageRow = Pick<
  Row<'messages'>,
  | 'id'
  | 'reported_event_id'
  | 'recipient'
  | 'channel'
  | 'kind'
  | 'phone'
  | 'state'
  | 'push'
  | 'asked_at'
  | 'ended_at'
  | 'last_error'
>

interface Placed {
  readonly line: Line
  readonly recordedAt: number
}

/** A message stands at its own time, any other line at the time of recording. */
export function timelineOf(events: readonly StoredEvent[], messages: readonly MessageRow[]): readonly Line[] {
  // Clocks of gateways differ, so an event never gets an earlier time than the event before it.
  let latest = 0
  const placed: Placed[] = events.map((event) => {
    latest = Math.max(latest, event.recordedAt)
    return { line: eventLine(event), recordedAt: latest }
  })
  const ofMessages = messages.flatMap(messageLines).map((line) => ({ line, recordedAt: line.at }))
  return [...placed, ...ofMessages]
    .sort((one, other) => one.recordedAt - other.recordedAt)
    .map(({ line }) => line)
    .reverse()
}

type AnyData = Line['data'] & {
  readonly personal?: Line['data'] | null
  readonly changed?: Readonly<
    Record<string, readonly [before: string | number | null, after: string | number | null]>
  >
}

function eventLine({ kind, at, recordedAt, claimId, by, data }: StoredEvent): Line {
  const { personal, changed, ...facts } = data as unknown as AnyData
  // The column `personal` also contains phones, which the timeline must not show.
  const { reason, text, place, code, case: caseNumber } = personal ?? {}
  const where = place ?? (by.kind === 'agent' && by.name !== '' ? by.name : null)
  return {
    at,
    kind,
    by: {
      kind: by.kind,
      ...('name' in by && by.name !== '' && { name: by.name }),
      ...(by.kind === 'staff' && { roles: [...by.roles] }),
    },
    data: {
      ...facts,
      words: reason ?? text ?? null,
      ...(where !== null && { place: where }),
      ...(code != null && { code }),
      ...(caseNumber != null && { case: caseNumber }),
      ...(changed?.has && { has: changed.has[1] }),
      ...(claimId !== undefined && { number: claimNumber(claimId) }),
      ...(recordedAt !== at && { recordedAt: isoOf(recordedAt) }),
    },
  }
}

function messageLines(message: MessageRow): Line[] {
  const { id, kind, phone, state, push, asked_at, ended_at, last_error } = message
  const channel = message.channel === 'mail' ? 'email' : push === 'accepted' ? 'push' : 'sms'
  const data = {
    message: id,
    event: [message.reported_event_id, message.recipient, message.channel].join(' '),
    about: kind,
    channel,
    to: channel === 'sms' && phone !== '' ? maskedPhone(phone) : null,
    words: last_error,
  }
  // The push service accepts a push when it is sent, so both have the same time.
  const sentAt = asked_at ?? (push === 'accepted' ? ended_at : null)
  const isSent = sentAt !== null && state !== 'waiting' && state !== 'uncertain'
  const hasEnd = ended_at !== null && !['waiting', 'uncertain', 'accepted'].includes(state)
  return [
    ...(isSent ? [{ at: sentAt, kind: 'message-sent', by: { kind: 'system' } as const, data }] : []),
    ...(hasEnd
      ? [
          {
            at: ended_at,
            kind: `message-${state}`,
            by: { kind: state === 'dropped' ? 'system' : 'message-service' } as const,
            data,
          },
        ]
      : []),
  ]
}
