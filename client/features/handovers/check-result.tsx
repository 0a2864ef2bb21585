import { useEffect, useRef } from 'react'
import { useConfig } from '#client/entities/config/use-config.ts'
import type { Report } from '#client/entities/handover/outbox.rules.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
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
import { cityName } from '#shared/platform/city-names.ts'
import type { Bag } from './bag-check.rules.ts'
import styles from './handovers.module.css'
import { RefuseBag } from './refuse-bag.tsx'
import type { Scan, ScanCheck } from './use-bag-scan.ts'

/** The look of each result: colour, icon and words say the same. Only a bag that was received is solid green. */
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
}

const factsId = 'check-facts'

/** The result for the scanned bag, readable from an arm's length. */
export function CheckResult({ scan: { awb, check }, hasFailed }: CheckResultProps) {
  const { t } = useTranslation('handovers')
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (check === null) return
    // When the number was typed below, the result appears above the edge of the screen: scroll to it.
    const isAbove = (section.current?.getBoundingClientRect().top ?? 0) < 0
    if (isAbove) section.current?.scrollIntoView()
  }, [check])

  if (check === null)
    return (
      <section className={`${layout.stack} ${layout.gap2}`}>
        <div className={styles.checking}>
          <Loading label={t('checking')} size="inline" />
          <p className={styles.checkMore}>
            <Ltr>{awb}</Ltr>
          </p>
        </div>
      </section>
    )

  const { className, icon } = lookOf(check)
  return (
    <section ref={section} className={`${layout.stack} ${className}`}>
      <div id={factsId}>
        <AsOf check={check} />
        <h2 className={`${layout.line} ${layout.gap4} ${styles.checkTitle}`}>
          <Icon name={icon} />
          <span>{t(`check.${textKeyOf(check)}.title`)}</span>
        </h2>
        <div className={`${layout.grid} ${layout.gap2} ${styles.checkFacts}`}>
          <CheckReason check={check} />
          {'bag' in check ? <BagFacts bag={check.bag} awb={awb} /> : <OnlyNumber awb={awb} />}
          {isByKept(check) ? <p className={styles.checkMore}>{t('check.unchecked.text')}</p> : null}
        </div>
      </div>
      {hasFailed ? (
        <Note tone="error" icon="alert" role="alert">
          {t('storage')}
        </Note>
      ) : null}
    </section>
  )
}

/** The bag can be received by its kept copy: the server was not asked. */
const isByKept = ({ kind, knownAt }: ScanCheck) => kind === 'receive' && knownAt !== undefined

interface CheckActionsProps {
  readonly check: ScanCheck
  /** The press that confirms also takes the picture. */
  readonly hasPhoto: boolean
  /** Without a report the agent accepts the bag. */
  readonly onConfirm: (report?: Report) => void
  readonly onNext: () => void
}

/** Enter confirms, and a screen reader reads the button with the facts that describe it. */
export function CheckActions({ check, hasPhoto, onConfirm, onNext }: CheckActionsProps) {
  const { t } = useTranslation('handovers')
  const primary = useRef<HTMLButtonElement>(null)
  useEffect(() => primary.current?.focus({ preventScroll: true }), [])
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
          icon={mayReceive ? (hasPhoto ? 'camera' : 'tick') : undefined}
          onClick={mayReceive ? () => onConfirm() : onNext}
        >
          {mayReceive ? t(isChecked ? 'confirm' : 'keep') : t('next')}
        </Button>
      </div>
      <div className={`${layout.cluster} ${styles.checkOthers}`}>
        {mayReceive ? (
          <>
            <Button look="quiet" onClick={onNext}>
              {t('skip')}
            </Button>
            <RefuseBag onRefuse={onConfirm} />
          </>
        ) : null}
        {lookOf(check) === looks.bad ? <Support /> : null}
      </div>
    </>
  )
}

/** The support's contact: a pilgrim whose bag is not accepted has a question. */
function Support() {
  const { t } = useTranslation('handovers')
  const phone = useConfig()?.contact.phone
  return phone === undefined ? null : (
    <ButtonLink look="quiet" icon="phone" href={telHref(phone)}>
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

/** One row, as on the list: where the bag goes, whose it is, and the digits to compare. */
function BagFacts({
  bag: { name, last, receiver, orderId, destination },
  awb,
}: {
  readonly bag: Bag
  readonly awb: string
}) {
  const { t } = useTranslation('handovers')
  const language = useLanguage()
  const { city } = destination
  const branch = placeOf(destination, language)
  return (
    <>
      <div className={`${layout.line} ${layout.gap3} ${styles.checkWho}`}>
        <CityBlock city={city} />
        <div className={styles.checkPerson}>
          <p className={styles.checkName}>
            <bdi>{name ?? t('noName')}</bdi>
          </p>
          <p className={textStyles.quiet}>
            {city === undefined ? null : <span>{cityName(city, language)}</span>}
            {branch ? (
              <span>
                <span>{' · '}</span>
                <bdi>{branch}</bdi>
              </span>
            ) : null}
          </p>
        </div>
        <p className={styles.checkLast}>
          <span className="visually-hidden">{t('last')}</span> <Ltr>{last}</Ltr>
        </p>
      </div>
      {receiver === undefined ? null : (
        <p>
          {t('receiver')} <bdi>{receiver}</bdi>
        </p>
      )}
      <p className={`${layout.cluster} ${layout.gap3} ${styles.checkMore}`}>
        <Ltr>{awb}</Ltr>
        <OrderNumber orderId={orderId} />
      </p>
    </>
  )
}

/** A bag of which this agent may know nothing, or this device knows nothing: only its number, to compare it. */
function OnlyNumber({ awb }: { readonly awb: string }) {
  const { t } = useTranslation('handovers')
  return (
    <div className={`${layout.split} ${layout.gap4} ${styles.onlyNumber}`}>
      <div className={styles.checkPerson}>
        <p>{t('last')}</p>
        <p className={styles.checkMore}>
          <Ltr>{awb}</Ltr>
        </p>
      </div>
      <p className={styles.checkLast}>
        <Ltr>{awb.slice(-4)}</Ltr>
      </p>
    </div>
  )
}
