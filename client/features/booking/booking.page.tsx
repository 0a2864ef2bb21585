import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LocationView } from '#client/entities/location/location.tsx'
import { agentsQuery, centersQuery } from '#client/entities/partner/partner.queries.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { ErrorSummary } from '#client/ui/error-summary.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import { JourneySteps } from '#client/ui/journey-steps.tsx'
import { Page } from '#client/ui/page.tsx'
import { ToastMark } from '#client/ui/toast-mark.tsx'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import {
  type BookingDraft,
  type BookingField,
  cityChange,
  cityFieldOf,
  missingFields,
  requiredFields,
  withoutWithdrawn,
} from './booking.rules.ts'
import { ChoiceField } from './choice-field.tsx'
import { RouteTabs, routePanelId, routeTabId } from './route-tabs.tsx'
import { type PartnerLists, useChoices } from './use-choices.ts'
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
        // A new form per route: fields marked as missing on the previous route are not marked here.
        key={draft.type}
      >
        <p className="route-hint">{t(`hints.${draft.type}`)}</p>
        <RouteForm draft={draft} onChange={onChange} onContinue={onContinue} />
      </div>
    </Page>
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

type RouteFormProps = Omit<BookingPageProps, 'enabledTypes'>

function RouteForm({ draft, onChange, onContinue }: RouteFormProps) {
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
  return <RouteFields draft={draft} lists={lists} onChange={onChange} onContinue={onContinue} />
}

interface RouteFieldsProps extends RouteFormProps {
  /** Undefined while the partner's lists load. */
  readonly lists: PartnerLists | undefined
}

function RouteFields({ draft, lists, onChange: keep, onContinue }: RouteFieldsProps) {
  const { t } = useTranslation('booking')
  const { message } = App.useApp()
  const [attempt, setAttempt] = useState(0)
  const chosen = lists ? withoutWithdrawn(draft, lists) : draft
  const missing = lists ? missingFields(chosen) : []
  const cityField = cityFieldOf(draft.type)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!lists) return
    if (missing.length === 0) return onContinue()
    setAttempt((before) => before + 1)
    void message.error({ content: t('incomplete'), icon: <ToastMark tone="bad" /> })
  }

  return (
    <form className="route-form" onSubmit={submit} noValidate>
      <ErrorSummary
        problems={
          attempt === 0
            ? []
            : missing.map((field) => ({
                // Without a city the list of branches is disabled: the link leads to the city.
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
      {requiredFields(draft.type).map((field) => (
        <RouteField
          key={field}
          field={field}
          chosen={chosen}
          lists={lists}
          isMissing={attempt > 0 && missing.includes(field)}
          onChange={(change) => {
            // Choosing from a list fires no input event, which would close the toast.
            message.destroy()
            keep(change)
          }}
        />
      ))}
      <button type="submit" className="button button-primary route-continue" disabled={!lists}>
        {t('continue')}
      </button>
    </form>
  )
}

interface RouteFieldProps {
  readonly field: BookingField
  readonly chosen: BookingDraft
  readonly lists: PartnerLists | undefined
  readonly isMissing: boolean
  readonly onChange: (change: Partial<BookingDraft>) => void
}

function RouteField({ field, chosen, lists, isMissing, onChange }: RouteFieldProps) {
  const { t } = useTranslation('booking')
  const language = useLanguage()
  const choices = useChoices(lists, language)
  const city = chosen[cityFieldOf(chosen.type)]
  const common = {
    id: fieldId(field),
    label: t(`labels.${chosen.type}.${field}`),
    isLoading: lists === undefined,
    value: lists ? chosen[field] : null,
    error: isMissing ? t(`required.${field}`) : undefined,
    onChange: (value: string) => onChange({ [field]: value }),
  }
  switch (field) {
    case 'toCity':
    case 'fromCity':
      return (
        <ChoiceField
          {...common}
          placeholder={t('placeholders.city')}
          choices={choices.cities}
          onChange={(value) => onChange(lists ? cityChange(field, value, lists.centers) : { [field]: value })}
        />
      )
    case 'agentCode': {
      const agent = lists?.agents.find(({ id }) => id === chosen.agentCode)
      return (
        <ChoiceField {...common} placeholder={t('placeholders.agentCode')} choices={choices.agents}>
          {agent ? <LocationView location={agent} language={language} /> : null}
        </ChoiceField>
      )
    }
    case 'centerCode': {
      const center = lists?.centers.find((each) => each.code === chosen.centerCode && each.city === city)
      return (
        <ChoiceField
          {...common}
          placeholder={city ? t('placeholders.centerCode') : t('placeholders.cityFirst')}
          choices={choices.centersIn(city)}
          isDisabled={!city}
        >
          {center ? <LocationView location={center} language={language} /> : null}
        </ChoiceField>
      )
    }
  }
}

function fieldId(field: BookingField): string {
  return `booking-${field}`
}
