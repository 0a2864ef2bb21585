import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router-dom'
import { Arrival, daysEveryMs, KeptUntil, useArrivalTitle } from '#client/entities/order/bag-days.tsx'
import { CityBand } from '#client/entities/tag/city-band.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { type BagState, stepsOf, tagOfBag } from '#client/entities/tag/tag.rules.ts'
import { TagBack } from '#client/entities/tag/tag-back.tsx'
import { TagFrame } from '#client/entities/tag/tag-frame.tsx'
import { type TagNote, TagScreen } from '#client/entities/tag/tag-screen.tsx'
import { AllEvents, Timeline } from '#client/entities/tag/timeline.tsx'
import { useBefore } from '#client/entities/tag/use-before.ts'
import { isCallProblem } from '#client/platform/call.ts'
import { formatMomentInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { pollBesideStreamMs, pollWithoutStreamMs, useLive, useReadAgain } from '#client/platform/live.ts'
import { paths } from '#client/platform/paths.ts'
import { readAgain } from '#client/platform/query-client.ts'
import { useNow } from '#client/platform/time.ts'
import buttonStyles from '#client/ui/button.module.css'
import { ButtonLink } from '#client/ui/button.tsx'
import { EmptyScene } from '#client/ui/empty-state.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Page } from '#client/ui/page.tsx'
import { State } from '#client/ui/state.tsx'
import textStyles from '#client/ui/text.module.css'
import { presentDays } from '#shared/orders/bag-days.rules.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { readShareEvents } from '#shared/shares/shares.operations.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import styles from './track.module.css'
import { shareQuery } from './track.queries.ts'

/** The progress of an order's bags, for people who have the shared link. It needs no session. */
export function TrackPage() {
  const { t } = useTranslation('track')
  const { token = '' } = useParams()
  const { data, error: problem, refetch } = useShare(token)
  const bookings = data?.bookings
  const onRetry = () => void refetch()
  // After a link has ended, no older data are shown.
  if (isCallProblem(problem) && isEnded(problem))
    return (
      <Page title={t('ended.title')}>
        <State role="alert" scene={<EmptyScene />} title={t('ended.calm')} text={t('ended.text')}>
          <ButtonLink to={paths.home}>{t('home')}</ButtonLink>
        </State>
      </Page>
    )
  if (bookings === undefined)
    return (
      <Page title={t('title')}>
        {problem ? <FailureState problem={problem} onRetry={onRetry} /> : <Loading label={t('loading')} />}
      </Page>
    )
  return (
    <Journeys bookings={bookings}>
      {problem ? <FailureState problem={problem} onRetry={onRetry} title={t('old')} /> : null}
    </Journeys>
  )
}

interface JourneysProps {
  readonly bookings: readonly SharedBooking[]
  /** A notice that the data shown are old. */
  readonly children: ReactNode
}

function Journeys({ bookings, children }: JourneysProps) {
  const { t } = useTranslation('track')
  const textsOf = useBagTexts()
  const [first] = bookings
  const only = bookings.length === 1 && first !== undefined ? textsOf(first) : undefined
  const isBack = only !== undefined && first !== undefined && tagOfBag(first) === 'collected'
  return (
    <TagScreen
      title={only?.title ?? t('title')}
      note={only?.note}
      tag={isBack ? 'whole' : only === undefined ? undefined : 'small'}
    >
      {children}
      {bookings.map((booking, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
        <section key={index} className={styles.bag}>
          {only === undefined ? (
            <>
              <p className={styles.leg}>{t('leg', { number: index + 1, total: bookings.length })}</p>
              <h2>{textsOf(booking).title}</h2>
            </>
          ) : null}
          <SharedTag booking={booking} isOnThread={only !== undefined} />
        </section>
      ))}
      <p className={`${textStyles.hint} ${styles.note}`}>{t('note')}</p>
      <p className={styles.about}>{t('about')}</p>
      <div className={`${buttonStyles.dock} ${styles.book}`}>
        <ButtonLink isWide to={paths.booking}>
          {t('book')}
        </ButtonLink>
      </div>
    </TagScreen>
  )
}

interface SharedTagProps {
  readonly booking: SharedBooking
  readonly isOnThread: boolean
}

/** The owner’s tag without names, numbers and addresses. */
function SharedTag({ booking, isOnThread }: SharedTagProps) {
  const { t } = useTranslation('track')
  const language = useLanguage()
  const state = tagOfBag(booking)
  const before = useBefore(state)
  const { origin, destination, arrives } = booking
  const now = useNow(daysEveryMs)
  const titleOf = useArrivalTitle()
  const { keptUntil } = presentDays({ keptUntil: booking.keptUntil }, now)
  const days = arrives && ([arrives.first, arrives.last] as const)
  if (state === 'collected') return <TagBack bag={booking} whose="shared" isNew={before !== undefined} />
  const { city } = destination
  const to = city === undefined ? t('destination') : cityName(city, language)
  return (
    <>
      <TagFrame thread={isOnThread ? 'small' : undefined}>
        {/* The barcode is left out: only the owner and the agent need it. */}
        <LuggageTag
          shape="small"
          city={city}
          band={
            <CityBand
              city={city}
              place={origin.city === undefined ? null : t('from', { city: cityName(origin.city, language) })}
            />
          }
        />
      </TagFrame>
      {state === 'cancelled' ? null : (
        <div className={styles.timeline}>
          <Timeline
            journey={booking}
            end={days ? titleOf(days) : keptUntil === undefined ? to : t('collection')}
            ahead={state === 'tied' ? { title: t('before.hand'), text: t('before.starts') } : undefined}
            dueOn={arrives?.last}
            whose="shared"
          >
            {state === 'tied' ? <p>{t('before.collect')}</p> : null}
            {days ? (
              <Arrival days={days} now={now}>
                <p>{to}</p>
              </Arrival>
            ) : null}
            {keptUntil === undefined ? null : <KeptUntil day={keptUntil} />}
          </Timeline>
          <AllEvents events={booking.events} shown={stepsOf(booking).map(({ event }) => event)} />
        </div>
      )}
    </>
  )
}

/** The server allows 120 readings of a link a minute per IP address, which several people may share. */
const gatherMs = 2_500

const isEnded = (problem: unknown) => isCallProblem(problem) && problem.status === 404

/** The data of a shared link. They are read again when the server's stream reports a change, or else at intervals. */
function useShare(token: string) {
  const client = useQueryClient()
  const [isFollowed, setIsFollowed] = useState(false)
  const onChange = useReadAgain(() => readAgain(client, shareQuery(token, 0).queryKey), gatherMs)
  const isLive = useLive(readShareEvents, isFollowed ? { token } : undefined, { onEvent: onChange })
  const result = useQuery(shareQuery(token, isLive ? pollBesideStreamMs : pollWithoutStreamMs))
  const isKnown = result.data !== undefined && !isEnded(result.error)
  if (isKnown !== isFollowed) setIsFollowed(isKnown)
  return result
}

const tones: Partial<Record<BagState, Omit<TagNote, 'text'>>> = {
  tied: { tone: 'calm', icon: 'bag' },
  delayed: { tone: 'waiting', icon: 'alert' },
  cancelled: { tone: 'waiting', icon: 'alert' },
}

/** Texts about a bag for people who have the shared link. */
function useBagTexts() {
  const { t } = useTranslation('track')
  const language = useLanguage()
  return (booking: SharedBooking): { readonly title: string; readonly note: TagNote | undefined } => {
    const state = tagOfBag(booking)
    const { lastEventAt, destination } = booking
    const city = destination.city === undefined ? undefined : cityName(destination.city, language)
    const seen =
      lastEventAt === null ? t('notSeen') : t('seen', { time: formatMomentInBoth(lastEventAt, language) })
    const texts: Partial<Record<BagState, string>> = {
      tied: t('notHandedOver'),
      ...(city !== undefined && { here: t('arrived', { city }) }),
    }
    return {
      title:
        city !== undefined && state === 'travelling'
          ? t('stateOf.travelling', { city })
          : t(`state.${state}`),
      // The title says it, and the timeline says where the bag was seen.
      note:
        state === 'travelling'
          ? undefined
          : { ...(tones[state] ?? { tone: 'good', icon: 'tick' }), text: texts[state] ?? seen },
    }
  }
}
