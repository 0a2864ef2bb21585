import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import awbStyles from '#client/entities/airway-bill/awb.module.css'
import { AirwayBillActions, LabelLink } from '#client/entities/airway-bill/awb.tsx'
import { AwbCode } from '#client/entities/airway-bill/barcode.tsx'
import { FullScreenCode } from '#client/entities/airway-bill/full-screen-code.tsx'
import passStyles from '#client/entities/airway-bill/pass.module.css'
import { Pass, PassFact } from '#client/entities/airway-bill/pass.tsx'
import { drawPass } from '#client/entities/airway-bill/pass-picture.ts'
import { configQuery } from '#client/entities/config/config.queries.ts'
import { type LocationFacts, LocationView, mapHref, telHref } from '#client/entities/location/location.tsx'
import { HandoverReceipt } from '#client/entities/order/handover-receipt.tsx'
import { handoverOf, isTravelling } from '#client/entities/order/journey.rules.ts'
import { JourneyThread } from '#client/entities/order/journey-thread.tsx'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { useHoursOf } from '#client/entities/partner/partner.queries.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import buttonStyles from '#client/ui/button.module.css'
import { ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Icon } from '#client/ui/icon.tsx'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import textStyles from '#client/ui/text.module.css'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Leg } from '#shared/orders/orders.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { placeOf } from '#shared/orders/place.rules.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { languages } from '#shared/platform/language.ts'
import { CollectAt, NextSteps } from './next-steps.tsx'
import styles from './pass-leg.module.css'

interface PassLegProps {
  readonly orderId: number
  readonly booking: Booking
  readonly leg: Leg
  /** Of its branch. */
  readonly centerCode: string | undefined
  /** Whom the owner has named to collect it. */
  readonly receiver: string | undefined
  /** The server cannot be reached: the label's file is not offered. */
  readonly isCutOff: boolean
  /** Its action is the primary one of the page. */
  readonly isFirst: boolean
  /** The thread of the page ends in the hole of its tag. */
  readonly isOnThread: boolean
}

/** One bag: its pass, where to hand it over, and what happens then. */
export function PassLeg({ receiver, booking: given, centerCode, ...props }: PassLegProps) {
  const { orderId, leg, isCutOff, isFirst, isOnThread } = props
  // As on the airway bill, as soon as that is known.
  const booking = receiver === undefined ? given : { ...given, receiver: given.receiver ?? receiver }
  const { t } = useTranslation('pass')
  // Not waited for.
  const maxWeightKg = useQuery(configQuery).data?.maxWeightKg
  const hours = useHoursOf(centerCode)
  const origin = leg.from === 'center' ? { ...booking.origin, hours } : booking.origin
  const destination = leg.to === 'center' ? { ...booking.destination, hours } : booking.destination
  const weight = maxWeightKg === undefined ? undefined : t('weight', { kg: maxWeightKg })
  return (
    <>
      <LegPass orderId={orderId} booking={booking} weight={weight} isOnThread={isOnThread} />
      <LegActions
        orderId={orderId}
        booking={booking}
        leg={leg}
        origin={origin}
        weight={weight}
        isCutOff={isCutOff}
        isFirst={isFirst}
      />
      {isTravelling(booking) ? (
        <div className={styles.next}>
          <JourneyThread
            journey={booking}
            city={destination.city}
            collectAt={<CollectAt destination={destination} />}
          />
        </div>
      ) : (
        <NextSteps leg={leg} destination={destination} receiver={receiver} />
      )}
    </>
  )
}

interface LegPassProps extends Pick<PassLegProps, 'orderId' | 'booking' | 'isOnThread'> {
  readonly weight: string | undefined
}

/** The pass with its barcode, which opens on the whole screen. */
function LegPass({ orderId, booking, weight, isOnThread }: LegPassProps) {
  const { t } = useTranslation('pass')
  const language = useLanguage()
  const [isFull, setIsFull] = useState(false)
  const { awb, receiver, destination } = booking
  return (
    <>
      <div className={styles.hold}>
        {isOnThread ? <Cord /> : null}
        <Pass
          start={
            <>
              <span className="visually-hidden">{t('orderId')} </span>
              <OrderNumber orderId={orderId} />
            </>
          }
          end={weight}
          city={destination.city}
          branch={<bdi>{placeOf(destination, language)}</bdi>}
          facts={
            receiver ? (
              <PassFact name={t('receiver')}>
                <bdi>{receiver}</bdi>
              </PassFact>
            ) : null
          }
        >
          {awb === null ? <Issuing /> : <PaperCode awb={awb} onOpen={() => setIsFull(true)} />}
        </Pass>
      </div>
      {isFull && awb !== null ? (
        <FullScreenCode
          awb={awb}
          orderNumber={<OrderNumber orderId={orderId} />}
          city={destination.city}
          receiver={receiver}
          onClose={() => setIsFull(false)}
        />
      ) : null}
    </>
  )
}

/** The last curve of the thread, into the hole of the tag. */
function Cord() {
  return (
    <>
      <svg
        className={`${styles.cord} ${styles.cordPhone}`}
        viewBox="0 0 360 62"
        preserveAspectRatio="none"
        aria-hidden="true"
        data-screen
      >
        <path pathLength="1" d="M353 0C353 40 276 24 216 36C194 41 180 50 180 60" />
      </svg>
      <svg
        className={`${styles.cord} ${styles.cordWide}`}
        viewBox="0 0 440 82"
        preserveAspectRatio="none"
        aria-hidden="true"
        data-screen
      >
        <path pathLength="1" d="M463 0C463 60 330 26 260 40C232 46 220 62 220 80" />
      </svg>
    </>
  )
}

function PaperCode({ awb, onOpen }: { readonly awb: string; readonly onOpen: () => void }) {
  const { t } = useTranslation('awb')
  return (
    <div className={`${passStyles.paper} ${awbStyles.paperCode}`}>
      <AwbCode awb={awb} />
      <button type="button" className={awbStyles.codeOpen} onClick={onOpen}>
        <Icon name="scan" />
        {t('full.open')}
      </button>
    </div>
  )
}

/** In the size of the barcode that follows, so that nothing moves when it comes. */
function Issuing() {
  const { t } = useTranslation('payment')
  return (
    <div className={`${passStyles.paper} ${styles.issuing}`}>
      <Loading label={t('thankYou.issuing')} size="page" />
    </div>
  )
}

interface LegActionsProps extends Omit<PassLegProps, 'isOnThread' | 'centerCode' | 'receiver'> {
  readonly origin: LocationFacts
  readonly weight: string | undefined
}

/** Where to hand the bag over: the way, a call, and the airway bill to keep. */
function LegActions({ orderId, booking, leg, origin, weight, isCutOff, isFirst }: LegActionsProps) {
  const { t } = useTranslation('pass')
  const makePicture = usePassPicture(orderId, booking, weight)
  const { awb } = booking
  const isGone = isTravelling(booking)
  const handover = handoverOf(booking.events)
  return (
    <div className={styles.more}>
      {isGone && handover ? <HandoverReceipt event={handover} awb={awb} /> : null}
      {isGone ? null : (
        <div className={styles.at}>
          <Icon name="pin" />
          <div>
            <p className={textStyles.quiet}>{t('handOverAt')}</p>
            <LocationView location={origin} isBrief />
            {origin.phone ? (
              <p className={textStyles.quiet}>
                <Ltr>{origin.phone}</Ltr>
              </p>
            ) : null}
          </div>
        </div>
      )}
      {origin.coordinates && !isGone ? (
        <div className={classes(styles.way, isFirst && `${buttonStyles.dock} ${styles.dock}`)} data-screen>
          <ButtonLink
            look={isFirst ? 'primary' : undefined}
            isWide
            icon="way"
            href={mapHref(origin.coordinates)}
            isNewTab
          >
            {t(`way.${leg.from}`)}
          </ButtonLink>
        </div>
      ) : null}
      <div className={styles.actions} data-screen>
        {origin.phone && !isGone ? (
          <ButtonLink icon="phone" href={telHref(origin.phone)}>
            {t(`call.${leg.from}`)}
          </ButtonLink>
        ) : null}
        {awb === null || isCutOff ? null : <LabelLink awb={awb} hasHint />}
      </div>
      {awb === null ? null : <AirwayBillActions awb={awb} makePicture={makePicture} />}
    </div>
  )
}

function usePassPicture(orderId: number, booking: Booking, weight: string | undefined) {
  const { t } = useTranslation('pass')
  const { t: ofAwb } = useTranslation('awb')
  const language = useLanguage()
  return useCallback(async () => {
    const { awb, receiver, destination } = booking
    if (awb === null) return undefined
    const { city } = destination
    return drawPass({
      awb,
      orderNumber: orderNumber(orderId),
      weight,
      to: ofAwb('pass.to'),
      city: city === undefined ? '' : cityName(city, language),
      code: cityCode(city),
      branch: placeOf(destination, language) ?? '',
      receiver: receiver ? { name: t('receiver'), value: receiver } : undefined,
      direction: languages[language].direction,
    })
  }, [booking, orderId, weight, t, ofAwb, language])
}
