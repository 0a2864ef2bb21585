import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inLanguage } from '#client/platform/bilingual.ts'
import { cityName } from '#client/platform/city-names.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { ErrorSummary } from '#client/ui/error-summary.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Page } from '#client/ui/page.tsx'
import { addressOf, PlaceView } from '#client/ui/place.tsx'
import { ToastMark } from '#client/ui/toast-mark.tsx'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { agentsQuery, centersQuery } from './booking.queries.ts'
import {
  type BookingDraft,
  type BookingField,
  citiesOf,
  cityChange,
  cityFieldOf,
  missingFields,
  requiredFields,
  withoutWithdrawn,
} from './booking.rules.ts'
import { type Choice, ChoiceField } from './choice-field.tsx'
import { RouteTabs, routePanelId, routeTabId } from './route-tabs.tsx'
import './booking.css'
import './booking.texts.ts'
import '#client/ui/buttons.css'

interface BookingPageProps {
  readonly draft: BookingDraft
  readonly enabledTypes: readonly BookingType[]
  readonly onChange: (change: Partial<BookingDraft>) => void
  readonly onContinue: () => void
}

export function BookingPage({ draft, enabledTypes, onChange, onContinue }: BookingPageProps) {
  const { t } = useTranslation('booking')
  useOfferedType(draft.type, enabledTypes, onChange)

  return (
    <Page title={t('title')}>
      <JourneySteps current="route" />
      <RouteTabs
        selected={draft.type}
        enabledTypes={enabledTypes}
        onSelect={(type) => {
          if (type !== draft.type) onChange({ type })
        }}
      />
      <div
        className="route-panel"
        role="tabpanel"
        id={routePanelId}
        aria-labelledby={routeTabId(draft.type)}
        // Another route is another form: what was marked as missing in the last one is no reproach here.
        key={draft.type}
      >
        <p className="route-hint">{t(`hints.${draft.type}`)}</p>
        <RouteForm draft={draft} onChange={onChange} onContinue={onContinue} />
      </div>
    </Page>
  )
}

/** A kept draft may name a route that the operator has closed since. */
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

function RouteForm({ draft, onChange, onContinue }: Omit<BookingPageProps, 'enabledTypes'>) {
  const { t } = useTranslation('booking')
  const language = useLanguage()
  const { message } = App.useApp()
  const [attempt, setAttempt] = useState(0)
  const centers = useQuery(centersQuery)
  const agents = useQuery(agentsQuery)
  const choices = useChoices(centers.data?.centers, agents.data?.agents, language)

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
  const chosen = lists ? withoutWithdrawn(draft, lists) : draft
  const missing = lists ? missingFields(chosen) : []
  const cityField = cityFieldOf(draft.type)
  const agent = lists?.agents.find(({ id }) => id === chosen.agentCode)
  const center = lists?.centers.find(
    ({ code, city }) => code === chosen.centerCode && city === chosen[cityField],
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!lists) return
    if (missing.length === 0) return onContinue()
    setAttempt((before) => before + 1)
    void message.error({ content: t('incomplete'), icon: <ToastMark tone="bad" /> })
  }

  const fieldProps = (field: BookingField) => ({
    id: fieldId(field),
    label: t(`labels.${draft.type}.${field}`),
    isLoading: lists === undefined,
    value: lists ? chosen[field] : null,
    error: attempt > 0 && missing.includes(field) ? t(`required.${field}`) : undefined,
    onChange: (value: string) => onChange({ [field]: value }),
  })

  const cityChoice = (field: 'toCity' | 'fromCity') => (
    <ChoiceField
      key={field}
      {...fieldProps(field)}
      placeholder={t('placeholders.city')}
      choices={choices.cities}
      onChange={(city) => onChange(lists ? cityChange(field, city, lists.centers) : { [field]: city })}
    />
  )

  const fields: Readonly<Record<BookingField, () => ReactNode>> = {
    agentCode: () => (
      <ChoiceField
        key="agentCode"
        {...fieldProps('agentCode')}
        placeholder={t('placeholders.agentCode')}
        choices={choices.agents}
      >
        {agent ? <PlaceView place={agent} language={language} /> : null}
      </ChoiceField>
    ),
    toCity: () => cityChoice('toCity'),
    fromCity: () => cityChoice('fromCity'),
    centerCode: () => (
      <ChoiceField
        key="centerCode"
        {...fieldProps('centerCode')}
        placeholder={chosen[cityField] ? t('placeholders.centerCode') : t('placeholders.cityFirst')}
        choices={choices.centersIn(chosen[cityField])}
        isDisabled={!chosen[cityField]}
      >
        {center ? <PlaceView place={center} language={language} /> : null}
      </ChoiceField>
    ),
  }
  return (
    <form className="route-form" onSubmit={submit} noValidate>
      <ErrorSummary
        problems={
          attempt === 0
            ? []
            : missing.map((field) => ({
                // Without a city the list of branches is closed: the way to a branch begins at the city.
                fieldId: fieldId(field === 'centerCode' && !chosen[cityField] ? cityField : field),
                message: t(`required.${field}`),
              }))
        }
        attempt={attempt}
      />
      {lists ? null : (
        <p className="route-loading" role="status">
          {t('loading')}
        </p>
      )}
      {requiredFields(draft.type).map((field) => fields[field]())}
      <button type="submit" className="button button-primary route-continue" disabled={!lists}>
        {t('continue')}
      </button>
    </form>
  )
}

function fieldId(field: BookingField): string {
  return `booking-${field}`
}

/** Most addresses of the partner end with the city; a second line of it only makes the list longer. */
function linesOf(address: string, city: string): readonly string[] {
  return address.endsWith(city) ? [address] : [address, city]
}

function useChoices(
  centers: readonly Center[] | undefined,
  agents: readonly PartnerAgent[] | undefined,
  language: LanguageCode,
) {
  return useMemo(() => {
    const compare = new Intl.Collator(language, { numeric: true }).compare
    const cities: readonly Choice[] = citiesOf(
      centers ?? [],
      (city) => cityName(city, language),
      compare,
    ).map((city) => ({ ...city, alsoFoundBy: [city.value, cityName(city.value, 'ar')] }))
    const centersIn = (city: string | null): readonly Choice[] =>
      (centers ?? [])
        .filter((center) => center.city === city)
        .map((center) => ({
          value: center.code,
          label: addressOf(center, language) ?? center.addressAR ?? center.code,
          alsoFoundBy: [center.addressAR, center.addressEN, center.code],
        }))
        .sort((a, b) => compare(a.label, b.label))
    const agentChoices: readonly Choice[] = (agents ?? [])
      .map((agent) => ({
        value: agent.id,
        label: inLanguage(agent.name, language),
        details: linesOf(inLanguage(agent.address, language), cityName(agent.city, language)),
        phone: agent.phone,
        alsoFoundBy: [agent.name, agent.address, agent.city],
      }))
      .sort((a, b) => compare(a.label, b.label))
    return { cities, centersIn, agents: agentChoices }
  }, [centers, agents, language])
}
