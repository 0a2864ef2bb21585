import { useEffect, useState } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { useSecondsUntil } from '#client/platform/time.ts'
import { Note } from '#client/ui/note.tsx'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import { languages } from '#shared/platform/language.ts'
import { ContactLinks } from './contact-links.tsx'
import { type Limit, limitName, limitOn, newestLimitOn, type Step, waitOf } from './limits.rules.ts'
import type { SignIn } from './sign-in.rules.ts'

export interface CurrentLimit {
  readonly limit: Limit
  /** Seconds until the limit ends, never 0. Null when only support can lift it; the step is then not blocked here. */
  readonly seconds: number | null
}

type OfLimits = Pick<SignIn, 'role' | 'limits'>

/**
 * The active limit on a step for this phone, if the phone is known. Limits on sending also depend on the channel: the form's
 * channel is the default. The component renders again when the limit ends.
 */
export function useLimit(
  { role, limits }: OfLimits,
  step: Step,
  phone = '',
  channel?: SendChannel,
): CurrentLimit | undefined {
  return useCurrent(limitOn(limits, { role, step, phone, channel }))
}

/** The newest limit on any channel: the page shows this one. */
export function useNewestLimit({ role, limits }: OfLimits, step: Step, phone = ''): CurrentLimit | undefined {
  return useCurrent(newestLimitOn(limits, { role, step, phone }))
}

function useCurrent(limit: Limit | undefined): CurrentLimit | undefined {
  const seconds = useSecondsUntil(limit?.until ?? undefined)
  if (limit === undefined) return undefined
  if (limit.until === null) return { limit, seconds: null }
  return seconds === 0 ? undefined : { limit, seconds }
}

/** True while the step is blocked until a known time. */
export function isWaiting(current: CurrentLimit | undefined): boolean {
  return typeof current?.seconds === 'number'
}

/** Formats seconds in the language on screen: `4:32`, or hours and minutes. */
export function useWaitText(): (seconds: number) => string {
  const { t } = useTranslation('sessions')
  const language = useLanguage()
  return (seconds) => {
    const wait = waitOf(seconds)
    if (wait.kind === 'clock') return wait.text
    const parts = [
      t('limits.hours', { count: wait.hours }),
      ...(wait.minutes === 0 ? [] : [t('limits.minutes', { count: wait.minutes })]),
    ]
    return new Intl.ListFormat(languages[language].intl, { type: 'conjunction' }).format(parts)
  }
}

interface LimitNoticeProps {
  /** Id of the notice; the disabled button refers to it by aria-describedby. */
  readonly id: string
  readonly current: CurrentLimit | undefined
}

/** Shows which limit is active and for how long. Always mounted, so that the live region announces a new limit. */
export function LimitNotice({ id, current }: LimitNoticeProps) {
  const { t } = useTranslation('sessions')
  const contact = useConfig()?.contact
  const waitText = useWaitText()
  const title = current === undefined ? undefined : t(`limits.${limitName(current.limit)}`)
  return (
    <>
      <Announcement current={current} title={title} />
      {current === undefined ? null : (
        <Note tone="pending" id={id}>
          <div>
            <p>
              <b>{title}</b>
            </p>
            {current.seconds === null ? null : (
              // Screen readers must not announce every second.
              <p role="timer" aria-live="off">
                {t('limits.wait', { time: waitText(current.seconds) })}
              </p>
            )}
            {current.limit.code === 'PHONE_LOCKED' && contact !== undefined ? (
              <p>
                {t('limits.contact')} <ContactLinks contact={contact} />
              </p>
            ) : null}
          </div>
        </Note>
      )}
    </>
  )
}

/** Announced once when the limit starts, with the wait at that moment, and once when the limit ends. */
function Announcement({ current, title }: { current: CurrentLimit | undefined; title: string | undefined }) {
  const { t } = useTranslation('sessions')
  const waitText = useWaitText()
  const [announcement, setAnnouncement] = useState('')
  const until = current?.limit.until
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced when a limit starts or ends, not each second
  useEffect(() => {
    if (current === undefined || title === undefined) {
      setAnnouncement((before) => (before === '' ? '' : t('limits.over')))
      return
    }
    const { seconds } = current
    setAnnouncement(seconds === null ? title : `${title} ${t('limits.wait', { time: waitText(seconds) })}`)
  }, [until])
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  )
}
