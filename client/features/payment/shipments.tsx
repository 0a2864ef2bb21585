import { useTranslation } from 'react-i18next'
import { AirwayBill } from '#client/entities/airway-bill/awb.tsx'
import { LocationView } from '#client/entities/location/location.tsx'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { Loading } from '#client/ui/loading.tsx'
import { readLabelPdf } from '#shared/orders/orders.operations.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { Fact } from './order-result.tsx'
import './thank-you.css'
import './payment.texts.ts'

/** The airway bills of a paid order, and what to do next. */
export function Shipments({ bookings }: { readonly bookings: readonly Booking[] }) {
  const { t } = useTranslation('payment')
  return (
    <>
      <ol className="claim-shipments">
        {bookings.map((booking, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: legs have no id, and their order never changes
          <li key={index} className="claim-shipment">
            {bookings.length > 1 ? (
              <h3 className="claim-leg">
                {t('thankYou.leg', { number: index + 1, total: bookings.length })}
              </h3>
            ) : null}
            <Shipment booking={booking} />
          </li>
        ))}
      </ol>
      <section className="claim-next">
        <h3 className="claim-leg">{t('thankYou.next')}</h3>
        <ol>
          <li>{t('thankYou.steps.save')}</li>
          <li>{t('thankYou.steps.hand')}</li>
          <li>{t('thankYou.steps.collect')}</li>
        </ol>
      </section>
    </>
  )
}

function Shipment({ booking }: { readonly booking: Booking }) {
  const { t } = useTranslation('payment')
  const language = useLanguage()
  const { awb, receiver, origin, destination } = booking
  return (
    <>
      {awb === null ? (
        <Loading label={t('thankYou.issuing')} size="page" />
      ) : (
        <AirwayBill awb={awb} downloadHref={operationHref(readLabelPdf, { awb }, { download: '1' })} />
      )}
      <dl className="claim-locations">
        {receiver ? (
          <Fact name={t('thankYou.receiver')}>
            <bdi>{receiver}</bdi>
          </Fact>
        ) : null}
        <Fact name={t('thankYou.origin')}>
          <LocationView location={origin} language={language} />
        </Fact>
        <Fact name={t('thankYou.destination')}>
          <LocationView location={destination} language={language} />
        </Fact>
      </dl>
    </>
  )
}
