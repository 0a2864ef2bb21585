import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Button } from '#client/ui/button.tsx'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import styles from './auth.module.css'
import { deliveryQuery } from './sign-in.queries.ts'
import type { SentCode, SignIn } from './sign-in.rules.ts'

/** The code service is asked this long after an SMS whether it arrived; the server asks no earlier. */
const deliveryAfterMs = 20_000

const icons = { sms: 'chat', whatsapp: 'chat', call: 'phone' } as const

/** Other ways to get the code, as far as they may be chosen now, and whether the SMS is known to have failed. */
export function useOtherChannels({ role, offered }: Pick<SignIn, 'role' | 'offered'>, sent: SentCode) {
  const others = sent.channels.filter((channel) => channel !== sent.channel)
  const canHelp = role === 'user' && sent.channel === 'sms' && others.length > 0
  const isDue = useSecondsUntil(sent.sentAt + deliveryAfterMs) === 0
  const { data: delivery } = useQuery({ ...deliveryQuery(sent.sentAt), enabled: canHelp && isDue })
  const isUndelivered = canHelp && delivery === 'undelivered'
  const isTime = useSecondsUntil(sent.nextChannelAt) === 0
  const channels = offered.length > 0 ? offered : isTime || isUndelivered ? others : []
  return { channels, isUndelivered: isUndelivered && offered.length === 0 }
}

interface OtherChannelsProps {
  readonly channels: readonly CodeChannel[]
  readonly isUndelivered?: boolean
  readonly isBusy: boolean
  readonly onChoose: (channel: CodeChannel) => void
}

/** A button for each way to get the code that may be chosen now. */
export function OtherChannels({ channels, isUndelivered = false, isBusy, onChoose }: OtherChannelsProps) {
  const { t } = useTranslation('sessions')
  if (channels.length === 0) return null
  return (
    <fieldset className={styles.channels}>
      <legend>{isUndelivered ? t('channels.undelivered') : t('channels.title')}</legend>
      {channels.map((channel) => (
        <Button key={channel} icon={icons[channel]} isBusy={isBusy} onClick={() => onChoose(channel)}>
          {t(`channels.${channel}`)}
        </Button>
      ))}
    </fieldset>
  )
}
