import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { isTravelling, knownState } from '#client/entities/order/journey.rules.ts'
import { JourneyThread, LastSeen } from '#client/entities/order/journey-thread.tsx'
import { isCallProblem } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { Scene } from '#client/ui/scene.tsx'
import { cityName } from '#shared/platform/city-names.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import styles from './track.module.css'
import { shareQuery } from './track.queries.ts'

/** Where the bags of an order are, for people who were sent the link. No session is needed. */
export function TrackPage() {
  const { t } = useTranslation('track')
  return (
    <Page title={t('title')}>
      <Content />
    </Page>
  )
}

function Content() {
  const { t } = useTranslation('track')
  const { token = '' } = useParams()
  const { data, error: problem, refetch } = useQuery(shareQuery(token))
  const bookings = data?.bookings
  const onRetry = () => void refetch()
  // An ended link shows nothing of before.
  if (isCallProblem(problem) && problem.status === 404)
    return (
      <div className={styles.ended}>
        <Scene name="not-found" />
        <p role="alert">{problem.message}</p>
        <ButtonLink to={paths.home}>{t('home')}</ButtonLink>
      </div>
    )
  if (bookings === undefined)
    return problem ? <FailureState problem={problem} onRetry={onRetry} /> : <Loading label={t('loading')} />
  return (
    <>
      {problem ? <FailureState problem={problem} onRetry={onRetry} title={t('old')} /> : null}
      {bookings.map((booking, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
        <Journey key={index} booking={booking} number={index + 1} total={bookings.length} />
      ))}
      <p className={styles.note}>{t('note')}</p>
    </>
  )
}

interface JourneyProps {
  readonly booking: SharedBooking
  readonly number: number
  readonly total: number
}

function Journey({ booking, number, total }: JourneyProps) {
  const { t } = useTranslation('track')
  const language = useLanguage()
  const { state, lastEventAt, origin, destination } = booking
  const city = (name: string | undefined) => (name === undefined ? '' : cityName(name, language))
  return (
    <section className={styles.bag}>
      {total > 1 ? <p className={styles.leg}>{t('leg', { number, total })}</p> : null}
      <h2>{t('route', { from: city(origin.city), to: city(destination.city) })}</h2>
      <p className={styles.state} role="status">
        {t(`state.${knownState(state ?? '')}`)}
      </p>
      {isTravelling(booking) ? (
        <JourneyThread journey={booking} city={destination.city} title={t('steps')} />
      ) : lastEventAt === null ? (
        <p className={styles.seen}>{t('notSeen')}</p>
      ) : (
        <LastSeen at={lastEventAt} />
      )}
    </section>
  )
}
