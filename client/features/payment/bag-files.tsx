import { useCallback } from 'react'
import { AirwayBillActions, LabelLink } from '#client/entities/airway-bill/awb.tsx'
import { LocationView } from '#client/entities/location/location.tsx'
import { isValidBag } from '#client/entities/order/order-card.rules.ts'
import { tagOfBag } from '#client/entities/tag/tag.rules.ts'
import { makeTagPicture } from '#client/entities/tag/tag-picture.ts'
import { telHref } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import { Fact } from '#client/ui/fact.tsx'
import layout from '#client/ui/layout.module.css'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Leg } from '#shared/orders/orders.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { placeOf } from '#shared/orders/place.rules.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { languages } from '#shared/platform/language.ts'
import { useEnds, useWeight } from './pass-leg.tsx'
import styles from './result-screen.module.css'

interface BagFilesProps {
  readonly orderId: number
  readonly booking: Booking
  readonly leg: Leg
  /** The code of the bag's branch. */
  readonly centerCode: string | undefined
  /** The server cannot be reached: the label's file is not offered. */
  readonly isCutOff: boolean
}

/** Rarely needed acts and facts of a bag: a call, its barcode to send, copy, print and download, its origin and its destination. */
export function BagFiles({ orderId, booking, leg, centerCode, isCutOff }: BagFilesProps) {
  const { t } = useTranslation('pass')
  const makePicture = usePassPicture(orderId, booking)
  const { labelPending } = booking
  const { origin, destination } = useEnds(booking, leg, centerCode)
  const awb = isValidBag(booking) ? booking.awb : null
  const isCollected = tagOfBag(booking) === 'collected'
  return (
    <>
      {/* Without coordinates the page's own action calls. */}
      {tagOfBag(booking) === 'tied' && origin.phone && origin.coordinates ? (
        <ButtonLink look="quiet" icon="phone" href={telHref(origin.phone)}>
          {t(`call.${leg.from}`)}
        </ButtonLink>
      ) : null}
      {awb === null ? null : (
        <AirwayBillActions awb={awb} makePicture={isCollected ? undefined : makePicture} />
      )}
      {awb === null || isCutOff ? null : <LabelLink look="quiet" awb={awb} isPending={labelPending} />}
      <dl className={classes(layout.cluster, layout.gap3, styles.ends)}>
        <Fact name={t('from')}>
          <LocationView location={origin} />
        </Fact>
        <Fact name={t('to')}>
          <LocationView location={destination} />
        </Fact>
      </dl>
    </>
  )
}

function usePassPicture(orderId: number, booking: Booking) {
  const { t } = useTranslation('pass')
  const { t: ofAwb } = useTranslation('awb')
  const language = useLanguage()
  const weight = useWeight()
  return useCallback(async () => {
    const { awb, receiver, destination } = booking
    if (awb === null) return undefined
    const { city } = destination
    return makeTagPicture(
      {
        awb,
        orderNumber: orderNumber(orderId),
        weight,
        to: ofAwb('pass.to'),
        city: city === undefined ? '' : cityName(city, language),
        code: cityCode(city),
        branch: placeOf(destination, language) ?? '',
        receiver: receiver ? { name: t('receiver'), value: receiver } : undefined,
      },
      languages[language].direction,
    )
  }, [booking, orderId, weight, t, ofAwb, language])
}
