import { useEffect, useEffectEvent, useState } from 'react'
import { isHandover, type OutboxEntry, type Refusal } from '#client/entities/handover/outbox.rules.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import layout from '#client/ui/layout.module.css'
import { cityName } from '#shared/platform/city-names.ts'
import type { Bag } from './bag-check.rules.ts'
import { useRefusalText } from './confirmations.tsx'
import styles from './received-screen.module.css'
import { Tally } from './tally.tsx'

/** As long as an agent needs to see it at arm's length. */
const shownMs = 1_000

export interface ReceivedBag {
  readonly awb: string
  /** The press that confirmed it, in epoch milliseconds. */
  readonly confirmedAt: number
  /** Undefined for a bag that was received without a check. */
  readonly bag: Bag | undefined
  readonly preview: string | undefined
  /** A picture was to be taken, and the camera gave none. */
  readonly hasNoPhoto: boolean
  readonly isOffline: boolean
  /** The server has refused the confirmation while the screen stands. */
  readonly refusal?: Refusal
}

/** The bag that was confirmed last, until its screen is over: also when the agent dismisses its refusal. */
export function useReceivedBag(entries: readonly OutboxEntry[]) {
  const [received, setReceived] = useState<ReceivedBag | null>(null)
  const refusal = received === null ? undefined : refusalOf(received, entries)
  if (received !== null && refusal !== received.refusal)
    setReceived(refusal === undefined ? null : { ...received, refusal })
  return [received, setReceived] as const
}

/** An earlier refusal of the same bag, which the agent has not dismissed, is not about this confirmation. */
function refusalOf({ awb, confirmedAt }: ReceivedBag, entries: readonly OutboxEntry[]): Refusal | undefined {
  const entry = entries.find((each) => each.awb === awb && isHandover(each) && each.receivedAt >= confirmedAt)
  return entry?.refusal?.step === 'record' ? entry.refusal : undefined
}

interface ReceivedScreenProps {
  readonly agentId: number
  readonly received: ReceivedBag | null
  readonly onOver: () => void
}

/**
 * Green across the screen for a second, or until it is touched. A refusal turns it red: then it stands until it is touched or a
 * key is pressed, because the agent may look at the bag. The bar stays in view below it and says the same to screen readers.
 */
export function ReceivedScreen({ agentId, received, onOver }: ReceivedScreenProps) {
  const end = useEffectEvent(onOver)
  useEffect(() => {
    if (received === null) return
    if (received.refusal !== undefined) {
      const press = () => end()
      document.addEventListener('keydown', press)
      return () => document.removeEventListener('keydown', press)
    }
    const timer = setTimeout(() => end(), shownMs)
    return () => clearTimeout(timer)
  }, [received])
  if (received === null) return null
  if (received.refusal !== undefined)
    return <RefusedScreen awb={received.awb} refusal={received.refusal} onOver={onOver} />
  return (
    <div className={`${layout.stack} ${styles.screen}`} aria-hidden="true" data-screen onPointerDown={onOver}>
      <p className={`${layout.line} ${styles.number}`} dir="ltr">
        <Icon name="tick" />
        <span>{received.awb.slice(-4)}</span>
      </p>
      <div className={`${layout.cluster} ${layout.gap4} ${styles.bag}`}>
        <Picture received={received} />
        <Who bag={received.bag} />
      </div>
      <Strip received={received} />
      <div className={styles.tally}>
        <Tally agentId={agentId} />
      </div>
    </div>
  )
}

interface RefusedScreenProps extends Pick<ReceivedScreenProps, 'onOver'> {
  readonly awb: string
  readonly refusal: Refusal
}

/** Shows why the agent gives the bag back. The picture of a refused bag was deleted. */
function RefusedScreen({ awb, refusal, onOver }: RefusedScreenProps) {
  const { t } = useTranslation('handovers')
  const whyOf = useRefusalText()
  return (
    <div
      className={`${layout.stack} ${styles.screen} ${styles.refused}`}
      aria-hidden="true"
      data-screen
      onPointerDown={onOver}
    >
      <p className={`${layout.line} ${styles.number}`} dir="ltr">
        <Icon name="cross" />
        <span>{awb.slice(-4)}</span>
      </p>
      <div>
        <p className={styles.word}>{t('kept.refused')}</p>
        <p className={styles.name}>{whyOf(refusal)}</p>
      </div>
    </div>
  )
}

function Picture({ received: { preview, hasNoPhoto } }: { readonly received: ReceivedBag }) {
  const { t } = useTranslation('handovers')
  if (preview !== undefined) return <img className={styles.photo} src={preview} alt="" />
  return hasNoPhoto ? (
    <p className={classes(layout.stack, layout.gap2, styles.photo, styles.none)}>
      <Icon name="noCamera" />
      <span>{t('photo.none')}</span>
    </p>
  ) : null
}

function Who({ bag }: { readonly bag: Bag | undefined }) {
  const { t } = useTranslation('handovers')
  const language = useLanguage()
  const city = bag?.destination.city
  return (
    <div className={styles.who}>
      <p className={styles.word}>{t('kept.recorded')}</p>
      {bag?.name ? (
        <p className={styles.name}>
          <bdi>{bag.name}</bdi>
        </p>
      ) : null}
      {city === undefined ? null : (
        <p className={`${layout.line} ${layout.gap2}`}>
          <CityBlock city={city} />
          <span>{cityName(city, language)}</span>
        </p>
      )}
    </div>
  )
}

function Strip({ received: { preview, hasNoPhoto, isOffline } }: { readonly received: ReceivedBag }) {
  const { t } = useTranslation('handovers')
  if (!hasNoPhoto && !isOffline) return null
  return (
    <p className={`${layout.line} ${layout.gap3} ${styles.strip}`}>
      <Icon name={hasNoPhoto ? 'noCamera' : 'clock'} />
      <span>
        {t(hasNoPhoto ? 'photo.missing' : preview === undefined ? 'check.kept.text' : 'photo.kept')}
      </span>
    </p>
  )
}
