import type { ReactNode } from 'react'
import { HoursOfBranch } from '#client/entities/location/branch-hours.tsx'
import { type LocationFacts, nameOf } from '#client/entities/location/location.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import { addressOf } from '#shared/orders/address.rules.ts'
import type { Leg } from '#shared/orders/orders.rules.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './pass-leg.module.css'

interface NextStepsProps {
  readonly leg: Leg
  readonly destination: LocationFacts
  /** The receiver, when the owner does not collect the bag. */
  readonly receiver: string | undefined
  /** The usual time of arrival. */
  readonly arrival: ReactNode
}

/** The steps after the hand-over, on the thread. */
export function NextSteps({ leg, destination, receiver, arrival }: NextStepsProps) {
  const { t } = useTranslation('pass')
  const language = useLanguage()
  const { city } = destination
  return (
    <section className={styles.next}>
      <h2 className={styles.nextTitle}>{t('next.title')}</h2>
      <ol className={knotStyles.threadList}>
        <li>
          <i className={knotStyles.knot} aria-hidden="true" />
          <h3>
            {city === undefined
              ? t('next.travel.unknown')
              : t('next.travel.title', { city: cityName(city, language) })}
          </h3>
          {arrival ? null : <p className={styles.step}>{t('next.travel.message')}</p>}
        </li>
        <li>
          <i className={knotStyles.knot} aria-hidden="true" />
          <h3>{t(`next.collect.${leg.to}`)}</h3>
          {arrival}
          <p className={styles.step}>
            {receiver === undefined
              ? t(`next.collect.text.${leg.to}`)
              : t('next.collect.receiver', { name: receiver })}
          </p>
        </li>
      </ol>
    </section>
  )
}

interface WhatToBringProps extends Pick<NextStepsProps, 'leg' | 'destination' | 'receiver'> {
  /** The time until which the branch keeps the bag. */
  readonly kept: ReactNode
}

/** The bag is at the branch: the address, the last day, and the papers to bring. */
export function WhatToBring({ leg, destination, receiver, kept }: WhatToBringProps) {
  const { t } = useTranslation('pass')
  return (
    <ul className={classes(layout.stack, layout.gap3, styles.next)}>
      <IconItem icon={leg.to === 'center' ? 'branch' : 'pin'}>
        <CollectAt destination={destination} />
      </IconItem>
      {kept ? <IconItem icon="clock">{kept}</IconItem> : null}
      <IconItem icon="person">
        <strong>
          {receiver === undefined ? t('bring') : t('next.collect.receiver', { name: receiver })}
        </strong>
      </IconItem>
    </ul>
  )
}

interface IconItemProps {
  readonly icon: IconName
  readonly children: ReactNode
}

/** An item of a list, with its icon before it. */
export function IconItem({ icon, children }: IconItemProps) {
  return (
    <li className={classes(layout.line, layout.gap3, styles.brought)}>
      <Icon name={icon} />
      {children}
    </li>
  )
}

/** The address and the opening hours; a button of the page opens the map. */
function CollectAt({ destination }: Pick<NextStepsProps, 'destination'>) {
  const language = useLanguage()
  const name = nameOf(destination)
  const place = addressOf(destination, language) ?? (name && inLanguage(name, language))
  return (
    <p className={`${layout.cluster} ${styles.collectAt}`}>
      {place ? <bdi>{place}</bdi> : null}
      <HoursOfBranch hours={destination.hours} />
    </p>
  )
}
