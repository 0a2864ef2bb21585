import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { FailureState } from '#client/ui/failure-state.tsx'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Note } from '#client/ui/note.tsx'
import { Page } from '#client/ui/page.tsx'
import { orderNumber } from '#shared/orders/order-number.ts'
import { ClaimForm } from './claim-form.tsx'
import { ClaimView } from './claim-view.tsx'
import styles from './claims.module.css'
import { claimsQuery } from './claims.queries.ts'
import { isReported, readAskedClaim } from './claims.rules.ts'

/** The claims of an order, and the form to report another problem. */
export function ClaimsPage() {
  const { id: orderId = '' } = useParams()
  const { t } = useTranslation('claims')
  const query = useQuery(claimsQuery(orderId))
  const asked = readAskedClaim(useSearchParams()[0])
  const [isReporting, setIsReporting] = useState<boolean>()
  const [sent, setSent] = useState<SentClaim>()
  const { data } = query
  if (data === undefined)
    return (
      <Page title={t('title')}>
        {query.isError ? (
          <FailureState title={t('loadFailed')} problem={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Loading label={t('loading')} />
        )}
        <Back orderId={orderId} />
      </Page>
    )
  const { claims, offer } = data
  const isOffered = offer.bags.some(({ kinds }) => kinds.length > 0)
  const wantsForm = isReporting ?? (asked.kind !== undefined && !isReported(claims, asked, offer))
  const isForm = isOffered && (wantsForm || claims.length === 0)
  return (
    <Page
      key={isForm ? 'form' : 'list'}
      title={t(isForm ? 'title' : 'list')}
      width={isForm ? 'table' : 'form'}
    >
      {isForm ? (
        <ClaimForm
          orderId={orderId}
          offer={offer}
          asked={asked}
          onSent={(claim, isPhotoLost) => {
            setSent({ number: claim.number, isPhotoLost })
            setIsReporting(false)
          }}
        />
      ) : (
        <>
          {sent === undefined ? null : <SentNote {...sent} />}
          {claims.length === 0 ? <p>{t('notOffered')}</p> : null}
          {claims.map((claim) => (
            <ClaimView key={claim.claimId} orderId={orderId} claim={claim} />
          ))}
        </>
      )}
      <div className={`${layout.cluster} ${layout.gap3} ${styles.ways}`} data-screen>
        {isOffered && claims.length > 0 ? (
          <Button look="quiet" onClick={() => setIsReporting(!isForm)}>
            {t(isForm ? 'toList' : 'another')}
          </Button>
        ) : null}
        <Back orderId={orderId} />
      </div>
    </Page>
  )
}

interface SentClaim {
  readonly number: string
  readonly isPhotoLost: boolean
}

function SentNote({ number, isPhotoLost }: SentClaim) {
  const { t } = useTranslation('claims')
  return (
    <Note className={styles.news} tone={isPhotoLost ? 'pending' : undefined} icon="tick" role="status">
      {t(isPhotoLost ? 'openedWithoutPhoto' : 'opened', { number })}
    </Note>
  )
}

function Back({ orderId }: { readonly orderId: string }) {
  const { t } = useTranslation('claims')
  const id = Number(orderId)
  return Number.isInteger(id) && id > 0 ? (
    <ButtonLink look="quiet" to={paths.order(id)}>
      {t('toOrder', { number: orderNumber(id) })}
    </ButtonLink>
  ) : (
    <ButtonLink look="quiet" to={paths.orders}>
      {t('toOrders')}
    </ButtonLink>
  )
}
