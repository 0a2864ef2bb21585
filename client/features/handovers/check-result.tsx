import { type RefObject, useEffect, useId, useRef } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import type { Report } from '#client/entities/handover/outbox.rules.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { CityBand } from '#client/entities/tag/city-band.tsx'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { formatMoment, formatTime } from '#client/platform/dates.ts'
import { telHref } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Icon, type IconName } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Note } from '#client/ui/note.tsx'
import textStyles from '#client/ui/text.module.css'
import { placeOf } from '#shared/orders/place.rules.ts'
import type { Bag } from './bag-check.rules.ts'
import styles from './handovers.module.css'
import { RefuseBag } from './refuse-bag.tsx'
import type { Scan, ScanCheck } from './use-bag-scan.ts'

/** The look of each result: colour, icon and words say the same. */
const looks = {
  good: { className: styles.checkGood, icon: 'tick' },
  unsure: { className: styles.checkUnsure, icon: 'clock' },
  bad: { className: styles.checkBad, icon: 'cross' },
} as const satisfies Record<string, { className: string | undefined; icon: IconName }>

function lookOf({ kind }: ScanCheck) {
  if (kind === 'receive') return looks.good
  return kind === 'unchecked' || kind === 'kept' ? looks.unsure : looks.bad
}

interface CheckResultProps {
  readonly scan: Scan
  /** The confirmation could not be stored. */
  readonly hasFailed: boolean
  /** Without a report the agent accepts the bag. */
  readonly onConfirm: (report?: Report) => void
  readonly onNext: () => void
}

/** The result for the scanned bag, readable from an arm's length. */
export function CheckResult({ scan: { awb, check }, hasFailed, onConfirm, onNext }: CheckResultProps) {
  const { t } = useTranslation('handovers')
  const factsId = useId()
  const section = useRef<HTMLElement>(null)
  const primary = useRef<HTMLButtonElement>(null)
  // Enter confirms, and a screen reader reads the button with the facts that describe it.
  useEffect(() => {
    if (check === null) return
    primary.current?.focus({ preventScroll: true })
    // When the number was typed below, the result appears above the edge of the screen: scroll to it.
    const isAbove = (section.current?.getBoundingClientRect().top ?? 0) < 0
    if (isAbove) section.current?.scrollIntoView()
  }, [check])

  if (check === null)
    return (
      <section className={`${layout.stack} ${layout.gap4} ${styles.check}`}>
        <Loading label={t('checking')} size="inline" />
        <p className={styles.checkMore}>
          <Ltr>{awb}</Ltr>
        </p>
      </section>
    )

  const { className, icon } = lookOf(check)
  return (
    <section ref={section} className={`${layout.stack} ${layout.gap4} ${styles.check} ${className}`}>
      <div id={factsId} className={`${layout.grid} ${layout.gap3}`}>
        <AsOf check={check} />
        <h2 className={`${layout.grid} ${layout.gap2} ${styles.checkTitle}`}>
          <Icon name={icon} />
          <span>{t(`check.${textKeyOf(check)}.title`)}</span>
        </h2>
        <div className={`${layout.grid} ${layout.gap3}`}>
          <CheckReason check={check} />
          {'bag' in check ? <BagFacts bag={check.bag} /> : null}
          <p className={styles.checkMore}>
            <Ltr>{awb}</Ltr>
          </p>
          {isByKept(check) ? <p className={styles.checkMore}>{t('check.unchecked.text')}</p> : null}
        </div>
      </div>
      {hasFailed ? (
        <Note tone="error" icon="alert" role="alert">
          {t('storage')}
        </Note>
      ) : null}
      <Actions check={check} primary={primary} factsId={factsId} onConfirm={onConfirm} onNext={onNext} />
    </section>
  )
}

/** The bag can be received by its kept copy: the server was not asked. */
const isByKept = ({ kind, knownAt }: ScanCheck) => kind === 'receive' && knownAt !== undefined

interface ActionsProps extends Pick<CheckResultProps, 'onConfirm' | 'onNext'> {
  readonly check: ScanCheck
  readonly primary: RefObject<HTMLButtonElement | null>
  readonly factsId: string
}

function Actions({ check, primary, factsId, onConfirm, onNext }: ActionsProps) {
  const { t } = useTranslation('handovers')
  const mayReceive = check.kind === 'receive' || check.kind === 'unchecked'
  const isChecked = check.kind === 'receive' && !isByKept(check)
  return (
    <>
      <div className={`${styles.checkActions} ${buttonStyles.dock}`}>
        <Button
          ref={primary}
          look="primary"
          isWide
          aria-describedby={factsId}
          icon={mayReceive ? 'tick' : undefined}
          onClick={mayReceive ? () => onConfirm() : onNext}
        >
          {mayReceive ? t(isChecked ? 'confirm' : 'keep') : t('next')}
        </Button>
      </div>
      {mayReceive ? (
        <div className={`${layout.cluster} ${layout.gap2} ${styles.checkOthers}`}>
          <RefuseBag onRefuse={onConfirm} />
          <Button look="quiet" onClick={onNext}>
            {t('skip')}
          </Button>
        </div>
      ) : null}
      {lookOf(check) === looks.bad ? <Support /> : null}
    </>
  )
}

/** The support's contact: a pilgrim whose bag is not accepted has a question. */
function Support() {
  const { t } = useTranslation('handovers')
  const phone = useConfig()?.contact.phone
  return phone === undefined ? null : (
    <ButtonLink look="quiet" isWide icon="phone" href={telHref(phone)}>
      {t('support')}
    </ButtonLink>
  )
}

/** The time of the kept copy, when the server could not be asked. */
function AsOf({ check: { knownAt } }: { readonly check: ScanCheck }) {
  const { t } = useTranslation('handovers')
  const language = useLanguage()
  if (knownAt === undefined) return null
  return (
    <Note tone="pending" icon="offline">
      <strong>{t('check.asOf', { time: formatTime(knownAt, language) })}</strong>
    </Note>
  )
}

function textKeyOf(check: ScanCheck) {
  if (check.kind === 'void') return check.isRefunded ? 'refunded' : 'cancelled'
  return check.kind
}

export function CheckReason({ check }: { readonly check: ScanCheck }) {
  const { t } = useTranslation('handovers')
  const language = useLanguage()
  const textKey = textKeyOf(check)
  if (textKey === 'receive') return null
  if (check.kind === 'received' && check.at !== undefined) {
    const time = formatMoment(check.at, language)
    return <p className={styles.checkReason}>{t('check.received.textAt', { time })}</p>
  }
  return <p className={styles.checkReason}>{t(`check.${textKey}.text`)}</p>
}

function BagFacts({ bag: { name, last, receiver, orderId, destination } }: { readonly bag: Bag }) {
  const { t } = useTranslation('handovers')
  const language = useLanguage()
  const { city } = destination
  const branch = placeOf(destination, language)
  return (
    <>
      <div className={`${layout.split} ${layout.gap4} ${styles.checkWho}`}>
        <div className={styles.checkPerson}>
          <p className={styles.checkName}>
            <bdi>{name ?? t('noName')}</bdi>
          </p>
          <p className={styles.checkMore}>
            <OrderNumber orderId={orderId} />
          </p>
          {receiver === undefined ? null : (
            <p>
              {t('receiver')} <bdi>{receiver}</bdi>
            </p>
          )}
        </div>
        <div>
          <p className={textStyles.quiet}>{t('last')}</p>
          <p className={styles.checkLast}>
            <Ltr>{last}</Ltr>
          </p>
        </div>
      </div>
      <LuggageTag
        shape="small"
        city={city}
        band={<CityBand city={city} place={branch ? <bdi>{branch}</bdi> : null} />}
      />
    </>
  )
}
