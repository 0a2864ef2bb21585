import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Button } from '#client/ui/button.tsx'
import { focusPlace } from '#client/ui/focus.ts'
import layout from '#client/ui/layout.module.css'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { deliveryAfterMs } from '#shared/sessions/session-lives.ts'
import styles from './auth.module.css'
import { isWaiting, useLimit, useWaitText } from './limit-notice.tsx'
import { deliveryQuery } from './sign-in.queries.ts'
import type { SentCode, SignIn } from './sign-in.rules.ts'

const icons = { sms: 'chat', whatsapp: 'chat', call: 'phone', email: 'chat' } as const

/** Other ways to get the code, as far as they may be chosen now, and whether the SMS is known to have failed. */
export function useOtherChannels({ role, offered }: Pick<SignIn, 'role' | 'offered'>, sent: SentCode) {
  const others = sent.channels.filter((channel) => channel !== sent.channel)
  const canHelp = role === 'user' && sent.channel === 'sms' && others.length > 0
  const isDue = useSecondsUntil(sent.sentAt + deliveryAfterMs) === 0
  const { data: delivery } = useQuery({ ...deliveryQuery(sent.sentAt), enabled: canHelp && isDue })
  const isUndelivered = canHelp && delivery === 'undelivered'
  const isTime = useSecondsUntil(sent.nextChannelAt) === 0
  const channels = offered?.channels ?? (isTime || isUndelivered ? others : [])
  return { channels, isUndelivered: isUndelivered && offered === null }
}

interface OtherChannelsProps {
  readonly signIn: Pick<SignIn, 'role' | 'limits' | 'phone'>
  readonly channels: readonly SendChannel[]
  /** When the channels may be chosen (epoch milliseconds). Left out: they may be chosen now. */
  readonly from?: number | undefined
  readonly isUndelivered?: boolean
  readonly isBusy: boolean
  readonly onChoose: (channel: SendChannel) => void
}

/** A button for each other way to get the code. */
export function OtherChannels(props: OtherChannelsProps) {
  const { signIn, channels, from = 0, isUndelivered = false, isBusy, onChoose } = props
  const { t } = useTranslation('sessions')
  const waitText = useWaitText()
  const seconds = useSecondsUntil(from)
  if (channels.length === 0) return null
  return (
    <fieldset ref={focusPlace} tabIndex={-1} className={`${layout.grid} ${layout.gap2} ${styles.channels}`}>
      <legend>{isUndelivered ? t('channels.undelivered') : t('channels.title')}</legend>
      {channels.map((channel) => (
        <ChannelButton
          key={channel}
          {...{ signIn, channel }}
          isBusy={isBusy || seconds > 0}
          onClick={() => onChoose(channel)}
        />
      ))}
      {seconds > 0 ? <p>{t('code.resendAfter', { time: waitText(seconds) })}</p> : null}
    </fieldset>
  )
}

interface ChannelButtonProps extends Pick<OtherChannelsProps, 'signIn' | 'isBusy'> {
  readonly channel: SendChannel
  readonly onClick: () => void
}

function ChannelButton({ signIn, channel, isBusy, onClick }: ChannelButtonProps) {
  const { t } = useTranslation('sessions')
  const limit = useLimit(signIn, 'send', signIn.phone, channel)
  return (
    <Button icon={icons[channel]} isBusy={isBusy || isWaiting(limit)} onClick={onClick}>
      {t(`channels.${channel}`)}
    </Button>
  )
}
