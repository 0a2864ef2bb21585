import { useQuery } from '@tanstack/react-query'
import type { ParseKeys } from 'i18next'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { type LocationFacts, LocationView, withoutCity } from '#client/entities/location/location.tsx'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useDaysText } from '#client/entities/promise/days-text.ts'
import { usePromises } from '#client/entities/promise/use-promises.ts'
import { StopText } from '#client/entities/stop/stop-text.tsx'
import { useStops } from '#client/entities/stop/use-stops.ts'
import { formatDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { Announced } from '#client/ui/announced.tsx'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { takeFocus } from '#client/ui/focus.ts'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { Page, useErrorTitle } from '#client/ui/page.tsx'
import { hideToast, showToast } from '#client/ui/toast.tsx'
import { addressOf } from '#shared/orders/address.rules.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Center } from '#shared/partner/partner.schemas.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { transitDaysOf } from '#shared/platform/promises.rules.ts'
import type { AgainProblem } from './again.rules.ts'
import styles from './booking.module.css'
import {
  type BookingDraft,
  type BookingField,
  cityChange,
  cityFieldOf,
  missingFields,
  nextQuestion,
  requiredFields,
  saleOf,
  withoutWithdrawn,
} from './booking.rules.ts'
import { BookingPass, BookingStrip, PriceInButton } from './booking-pass.tsx'
import { BranchPicker } from './branch-picker.tsx'
import { ChoiceField } from './choice-field.tsx'
import { ChoicePicker } from './choice-picker.tsx'
import { RouteTabs, routePanelId, routeTabId } from './route-tabs.tsx'
import { type Choices, type PartnerLists, useChoices } from './use-choices.ts'
import { type OwnPosition, useOwnPosition } from './use-position.ts'

interface BookingPageProps {
  readonly draft: BookingDraft
  /** The reason why the route of an earlier order could not be filled in completely. */
  readonly againProblems?: readonly AgainProblem[]
  /** The question whose answers are open when the page appears. */
  readonly asked?: BookingField | undefined
  readonly onChange: (change: Partial<BookingDraft>) => void
  readonly onContinue: () => void
}

export function BookingPage({ draft, againProblems = [], asked, onChange, onContinue }: BookingPageProps) {
  const { t } = useTranslation('booking')
  const { enabledTypes, stops } = useLoadedConfig()
  const stop = useStops(stops)({})
  /** The question whose answers are open. */
  const [open, setOpen] = useState(asked)
  useOfferedType(draft.type, enabledTypes, onChange)

  return (
    <Page title={t('title')} width="columns">
      <JourneySteps current="route" />
      <div className={styles.route}>
        <AgainNote problems={againProblems} />
        <RouteTabs
          selected={draft.type}
          enabledTypes={enabledTypes}
          onSelect={(type) => {
            if (type !== draft.type) onChange({ type })
          }}
        />
        <div
          role="tabpanel"
          id={routePanelId}
          aria-labelledby={routeTabId(draft.type)}
          // A new form per route: fields marked as missing on the previous route are not marked here.
          key={draft.type}
        >
          {stop === undefined ? (
            <RouteForm
              draft={draft}
              onChange={onChange}
              onContinue={onContinue}
              open={open}
              onOpen={setOpen}
            />
          ) : (
            <Note tone="pending" icon="alert" role="status">
              <div>
                <StopText stop={stop} />
              </div>
            </Note>
          )}
        </div>
      </div>
      <BookingPass draft={draft} />
    </Page>
  )
}

function AgainNote({ problems }: { readonly problems: readonly AgainProblem[] }) {
  const { t } = useTranslation('booking')
  if (problems.length === 0) return null
  return (
    <Note tone="pending" icon="alert" role="status">
      <div>
        {problems.map((problem) => (
          <p key={problem}>{t(`again.${problem}`)}</p>
        ))}
      </div>
    </Note>
  )
}

/** A stored draft may have a route that is no longer offered. */
function useOfferedType(
  type: BookingType,
  enabledTypes: readonly BookingType[],
  onChange: (change: Partial<BookingDraft>) => void,
): void {
  const fallback = enabledTypes.includes(type) ? undefined : enabledTypes[0]
  useEffect(() => {
    if (fallback !== undefined) onChange({ type: fallback })
  }, [fallback, onChange])
}

interface RouteFormProps extends Pick<BookingPageProps, 'draft' | 'onChange' | 'onContinue'> {
  /** The question whose answers are open. */
  readonly open: BookingField | undefined
  readonly onOpen: (question: BookingField | undefined) => void
}

function RouteForm(props: RouteFormProps) {
  const { t } = useTranslation('booking')
  const centers = useQuery(centersQuery)
  const agents = useQuery(agentsQuery)
  const failed = [centers, agents].filter((query) => query.isError && query.data === undefined)
  const [firstFailed] = failed
  if (firstFailed) {
    return (
      <FailureState
        title={t('failed')}
        problem={firstFailed.error}
        onRetry={() => {
          for (const query of failed) void query.refetch()
        }}
      />
    )
  }
  const lists =
    centers.data && agents.data ? { centers: centers.data.centers, agents: agents.data.agents } : undefined
  return <RouteFields {...props} lists={lists} />
}

interface RouteFieldsProps extends RouteFormProps {
  /** Undefined while the partner's lists load. */
  readonly lists: PartnerLists | undefined
}

function RouteFields({ draft, lists, onChange: keep, onContinue, open, onOpen }: RouteFieldsProps) {
  const { t } = useTranslation('booking')
  const [hasTried, setHasTried] = useState(false)
  const ownPosition = useOwnPosition()
  const language = useLanguage()
  const choices = useChoices(lists, language)
  const chosen = lists ? withoutWithdrawn(draft, lists) : draft
  const findStop = useStops(useLoadedConfig().stops)
  const sentenceOf = (field: BookingField, value: string) => findStop(saleOf(field, value))?.text[language]
  const isStopped = (field: BookingField, value: string) => sentenceOf(field, value) !== undefined
  const missing = missingFields(chosen, isStopped)
  const [firstMissing] = missing
  const isNothingOffered = lists !== undefined && (lists.centers.length === 0 || lists.agents.length === 0)
  useErrorTitle(hasTried && missing.length > 0)

  const goOn = () => {
    if (firstMissing === undefined) return onContinue()
    // The field with its message is rendered before the focus moves there, so that the focus announces both; the toast is only
    // shown.
    flushSync(() => setHasTried(true))
    takeFocus(document.getElementById(questionId(firstMissing)))
    showToast(t(chosen[firstMissing] ? 'notSold' : 'incomplete'), { isAnnounced: false })
  }

  return (
    // Not a form: the lists of answers are forms of their own.
    <div className={`${layout.stack} ${layout.gap2}`}>
      {lists ? null : <Announced>{t('loading')}</Announced>}
      {isNothingOffered ? (
        <Note tone="pending" icon="alert" role="status">
          <p>{t('nothingOffered')}</p>
        </Note>
      ) : null}
      <ol className={`${knotStyles.threadList} ${styles.routeQuestions}`}>
        {requiredFields(draft.type).map((field) => (
          <RouteField
            key={field}
            field={field}
            chosen={chosen}
            lists={lists}
            choices={choices}
            isCurrent={field === nextQuestion(draft.type, missing)}
            isMissing={hasTried && missing.includes(field)}
            stoppedBy={(value) => sentenceOf(field, value)}
            ownPosition={ownPosition}
            isOpen={field === open}
            onOpen={() => onOpen(field)}
            onClose={() => onOpen(undefined)}
            onChange={(change) => {
              // Choosing from a list may fire no input event, which would hide the toast.
              hideToast()
              keep(change)
              const changed = { ...chosen, ...change }
              const stillMissing = missingFields(
                lists ? withoutWithdrawn(changed, lists) : changed,
                isStopped,
              )
              onOpen(nextQuestion(draft.type, stillMissing))
            }}
          />
        ))}
      </ol>
      {firstMissing === undefined ? null : <BookingStrip draft={draft} />}
      <div className={`${buttonStyles.dock} ${styles.routeDock}`}>
        <Button
          look="primary"
          isWide
          className={styles.routeContinue}
          disabled={!lists || isNothingOffered}
          onClick={goOn}
        >
          {firstMissing === undefined ? (
            <span>
              <span>{t('continue')}</span>
              <PriceInButton draft={draft} />
            </span>
          ) : (
            t('continue')
          )}
        </Button>
      </div>
    </div>
  )
}

interface RouteFieldProps {
  readonly field: BookingField
  readonly chosen: BookingDraft
  readonly lists: PartnerLists | undefined
  readonly choices: Choices
  readonly isCurrent: boolean
  readonly isMissing: boolean
  /** The reason why a choice is not sold; `undefined` when it is sold. */
  readonly stoppedBy: (value: string) => string | undefined
  readonly ownPosition: OwnPosition
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onClose: () => void
  /** Changes the answer, and opens the next unanswered question. */
  readonly onChange: (change: Partial<BookingDraft>) => void
}

function RouteField(props: RouteFieldProps) {
  if (props.field === 'agentCode') return <AgentField {...props} />
  if (props.field === 'centerCode') return <CenterField {...props} />
  return <CityField {...props} />
}

/** The props that all questions share. */
function useQuestion(props: RouteFieldProps) {
  const { field, chosen, lists, isCurrent, isMissing, stoppedBy, isOpen, onOpen, onClose, onChange } = props
  const { t } = useTranslation('booking')
  return {
    id: questionId(field),
    // A booking to Mina asks for no destination, a booking from Mina for no origin.
    label: t(`labels.${chosen.type}.${field}` as ParseKeys<'booking'>),
    isLoading: lists === undefined,
    value: lists ? chosen[field] : null,
    isCurrent,
    stoppedBy,
    error: isMissing ? t(`required.${field}`) : undefined,
    isOpen,
    onOpen,
    onClose,
    onChange: (value: string) => onChange({ [field]: value }),
  }
}

function CityField(props: RouteFieldProps) {
  const { chosen, lists, choices, onChange } = props
  const { t } = useTranslation('booking')
  const field = cityFieldOf(chosen.type)
  const city = chosen[field]
  const promises = usePromiseNotes(city)
  // The partner's branches in this city are a destination like any other.
  const notes = [...(city !== null && cityCode(city) === 'MAK' ? [t('makkah')] : []), ...promises]
  return (
    <ChoiceField
      {...useQuestion(props)}
      placeholder={t('placeholders.city')}
      answers={(answers) => (
        <ChoicePicker {...answers} searchLabel={t('search.city')} choices={choices.cities} />
      )}
      hint={t('cities', { count: choices.cities.length })}
      choices={choices.cities}
      isDisabled={choices.cities.length === 0}
      notes={notes}
      onChange={(value) => onChange(lists ? cityChange(field, value, lists.centers) : { [field]: value })}
    />
  )
}

/** Says how long a bag to or from this city takes, and by which time the pilgrim should hand it in. */
function usePromiseNotes(city: string | null): readonly string[] {
  const { t } = useTranslation(['booking', 'promise'])
  const { demo } = useLoadedConfig()
  const promises = usePromises()
  const language = useLanguage()
  const daysText = useDaysText()
  if (city === null) return []
  const span = transitDaysOf(promises, city)
  const notes = [
    span && `${t('promise:usually', { days: unbroken(daysText(span)) })}.`,
    promises.handInUntil && t('handInUntil', { days: formatDayInBoth(promises.handInUntil, language) }),
  ].filter((note) => note !== undefined)
  const last = notes.pop()
  if (last === undefined) return []
  return [...notes, demo ? `${last} ${t('promise:example')}.` : last]
}

function AgentField(props: RouteFieldProps) {
  const { chosen, lists, choices, ownPosition } = props
  const { t } = useTranslation('booking')
  const agent = lists?.agents.find(({ id }) => id === chosen.agentCode)
  return (
    <ChoiceField
      {...useQuestion(props)}
      placeholder={t('placeholders.agentCode')}
      answers={(answers) => (
        <ChoicePicker
          {...answers}
          searchLabel={t('search.agentCode')}
          choices={choices.agents}
          ownPosition={ownPosition}
        />
      )}
      hint={t('agents', { count: choices.agents.length })}
      choices={choices.agents}
      isDisabled={choices.agents.length === 0}
    >
      {agent ? <LocationView location={agent} /> : null}
    </ChoiceField>
  )
}

function CenterField(props: RouteFieldProps) {
  const { chosen, lists, choices } = props
  const { t } = useTranslation('booking')
  const language = useLanguage()
  const city = chosen[cityFieldOf(chosen.type)]
  const center = lists?.centers.find((each) => each.code === chosen.centerCode && each.city === city)
  const branches = choices.branchesIn(city)
  const named = city ? cityName(city, language) : ''
  return (
    <ChoiceField
      {...useQuestion(props)}
      placeholder={city ? t('placeholders.centerCode', { city: named }) : t('placeholders.cityFirst')}
      answers={(answers) =>
        city === null ? null : (
          <BranchPicker {...answers} city={city} branches={branches} compare={choices.compare} />
        )
      }
      hint={`${city ? `${t('branches', { count: branches.length })}. ` : ''}${t(`hints.${chosen.type}`)}`}
      choices={branches}
      isDisabled={!city}
    >
      {center ? <LocationView location={inCity(center, named, language)} hoursOf="week" /> : null}
    </ChoiceField>
  )
}

/** No line ends after a number of days, or after the dash between two. A longer part does not fit beside the city in large text. */
const unbroken = (days: string) => days.replace('–', '–\u2060').replace(/(\d) /, '$1\u00a0')

/** A branch without its city, which the question before names. */
function inCity(center: Center, city: string, language: LanguageCode): LocationFacts {
  const { coordinates, hours } = center
  return { address: withoutCity(addressOf(center, language), city), coordinates, hours }
}

/** The id of the button that opens the answers. */
function questionId(field: BookingField): string {
  return `booking-${field}`
}
