import { type KeyboardEvent, useRef } from 'react'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import layout from '#client/ui/layout.module.css'
import pointStyles from '#client/ui/points.module.css'
import textStyles from '#client/ui/text.module.css'
import { bookingTypes } from '#shared/orders/booking-types.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { languages } from '#shared/platform/language.ts'
import styles from './booking.module.css'

export const routePanelId = 'route-panel'
const noteId = 'route-tabs-note'
const closedTab = `${textStyles.quiet} ${styles.routeTabClosed}`

export function routeTabId(type: BookingType): string {
  return `route-tab-${type}`
}

interface RouteTabsProps {
  readonly selected: BookingType
  readonly enabledTypes: readonly BookingType[]
  readonly onSelect: (type: BookingType) => void
}

/** All routes. Routes that are not offered are disabled, in a row below the others. */
export function RouteTabs({ selected, enabledTypes, onSelect }: RouteTabsProps) {
  const { t } = useTranslation('booking')
  const language = useLanguage()
  const list = useRef<HTMLDivElement>(null)

  const moveBy = (event: KeyboardEvent) => {
    const forward = languages[language].direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = languages[language].direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== forward && event.key !== backward) return
    event.preventDefault()
    const offered = bookingTypes.filter((type) => enabledTypes.includes(type))
    const step = event.key === forward ? 1 : -1
    const next = offered.at((offered.indexOf(selected) + step) % offered.length)
    if (next === undefined) return
    onSelect(next)
    list.current?.querySelector<HTMLElement>(`#${routeTabId(next)}`)?.focus()
  }

  const tab = (type: BookingType) => {
    const isOffered = enabledTypes.includes(type)
    const isSelected = type === selected
    return (
      <button
        key={type}
        type="button"
        role="tab"
        id={routeTabId(type)}
        className={isOffered ? buttonStyles.chip : closedTab}
        aria-selected={isSelected}
        aria-controls={isSelected ? routePanelId : undefined}
        aria-describedby={isOffered ? undefined : noteId}
        tabIndex={isSelected ? 0 : -1}
        disabled={!isOffered}
        onClick={() => onSelect(type)}
        onKeyDown={moveBy}
      >
        {t(`types.${type}`)}
      </button>
    )
  }
  const closed = bookingTypes.filter((type) => !enabledTypes.includes(type))

  return (
    <div
      className={`${layout.cluster} ${layout.gap2} ${styles.routeTabs}`}
      role="tablist"
      aria-label={t('types.label')}
      ref={list}
    >
      {bookingTypes.filter((type) => enabledTypes.includes(type)).map(tab)}
      {closed.length > 0 ? (
        <div className={`${layout.cluster} ${pointStyles.points} ${styles.routeTabsClosed}`}>
          {closed.map(tab)}
          <span className={`${textStyles.quiet} ${styles.routeTabsNote}`} id={noteId}>
            {t('types.notOffered')}
          </span>
        </div>
      ) : null}
    </div>
  )
}
