import { languages } from '#shared/platform/language.ts'
import { declarativePushMark } from '#shared/push/push.schemas.ts'
import type { MessageRow } from './messages.queries.ts'
import { partsOf } from './messages.texts.ts'

/** Safari shows this declarative push message directly; other browsers pass it to the service worker. */
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
      // The tag makes a browser show a repeated message once.
      tag: `${kind}-${event_id}`,
      navigate,
    },
  })
}

/** A browser that was offline gets only the newest message of a topic. */
export const topicOf = (
  { order_id, booking_id }: Pick<MessageRow, 'order_id' | 'booking_id'>,
  claimId: number | undefined,
): string => (claimId === undefined ? `o${order_id}-${booking_id}` : `c${claimId}`)
