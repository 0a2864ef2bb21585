import { languages } from '#shared/platform/language.ts'
import { declarativePushMark } from '#shared/push/push.schemas.ts'
import type { MessageRow } from './messages.queries.ts'
import { partsOf } from './messages.texts.ts'

/** The declarative form, which Safari shows directly; other browsers hand it to the worker. */
export function notificationOf(
  { body: text, event_id, kind }: Pick<MessageRow, 'body' | 'event_id' | 'kind'>,
  navigate: string,
): string {
  const { language, title, body } = partsOf(text)
  return JSON.stringify({
    web_push: declarativePushMark,
    notification: {
      title,
      body,
      lang: language,
      dir: languages[language].direction,
      // A message that arrives twice is shown once.
      tag: `${kind}-${event_id}`,
      navigate,
    },
  })
}

/** A browser that was offline gets only the newest message about a bag or claim. */
export const topicOf = (
  { order_id, booking_id }: Pick<MessageRow, 'order_id' | 'booking_id'>,
  claimId: number | undefined,
): string => (claimId === undefined ? `o${order_id}-${booking_id}` : `c${claimId}`)
