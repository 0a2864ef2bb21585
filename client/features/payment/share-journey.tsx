import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/platform/call.ts'
import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { openShareSheet, useCopy, whatsAppHref } from '#client/platform/share.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Loading } from '#client/ui/loading.tsx'
import { Ltr } from '#client/ui/ltr.tsx'
import { Overlay } from '#client/ui/overlay.tsx'
import { Problem } from '#client/ui/problem.tsx'
import textStyles from '#client/ui/text.module.css'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { defaultLanguage, type LanguageCode } from '#shared/platform/language.ts'
import { previewCity } from '#shared/platform/link-preview.ts'
import {
  createShare,
  endShare,
  readOwnShare,
  shareEndsAfterDays,
  shareEndsAfterQuietDays,
} from '#shared/shares/shares.operations.ts'
import styles from './share.module.css'

/** Requested whenever the sheet opens: the owner may have ended the link on another device. */
function ownShareQuery(params: { readonly id: string }) {
  return queryOptions({
    queryKey: operationKey(readOwnShare, params),
    queryFn: ({ signal }) => call(readOwnShare, { params, signal }),
    staleTime: 0,
  })
}

type SharedOrder = Pick<Order, 'orderId' | 'bookings'>

/** The link, with the preview that a messenger shows: it has the owner's language and the city of all bags. */
function previewed(url: string, { bookings }: SharedOrder, language: LanguageCode): string {
  const address = new URL(url)
  const cities = new Set(bookings.map(({ destination }) => destination.city))
  const [city] = cities
  if (city !== undefined && cities.size === 1) address.searchParams.set(previewCity, city)
  if (language !== defaultLanguage) address.searchParams.set('lang', language)
  return address.href
}

interface ShareJourneyProps {
  readonly order: SharedOrder
  /** `primary`: sharing is the next action of the page. */
  readonly look?: 'primary' | 'quiet'
}

/** Opens the sheet in which the owner makes, sends and ends the link to the bags' journey. */
export function ShareJourney({ order, look }: ShareJourneyProps) {
  const { t } = useTranslation('share')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look={look} isWide={look === 'primary'} icon="share" onClick={() => setIsOpen(true)}>
        {t(look === 'primary' ? 'family' : 'open')}
      </Button>
      {isOpen ? (
        <Overlay kind="sheet" title={t('title')} onClose={() => setIsOpen(false)}>
          <ShareLink order={order} />
        </Overlay>
      ) : null}
    </>
  )
}

function ShareLink({ order }: { readonly order: SharedOrder }) {
  const { t } = useTranslation('share')
  const language = useLanguage()
  const client = useQueryClient()
  const params = { id: String(order.orderId) }
  const query = ownShareQuery(params)
  const own = useQuery(query)
  const renew = () => client.invalidateQueries({ queryKey: query.queryKey })
  const creation = useSingleMutation({ mutationFn: () => call(createShare, { params }), onSettled: renew })
  const ending = useSingleMutation({
    mutationFn: () => call(endShare, { params }),
    onSuccess: () => creation.reset(),
    onSettled: renew,
  })
  const isBusy = creation.isPending || ending.isPending
  const url = ending.isPending ? undefined : creation.data?.url
  const createdAt = own.data?.createdAt ?? null
  return (
    <div className={classes(layout.stack, layout.gap3, styles.share)}>
      <p>{t('seen')}</p>
      <p>{t('notSeen')}</p>
      <p className={textStyles.quiet}>
        {`${t('ends', { count: shareEndsAfterDays })} ${t('endsQuiet', { days: shareEndsAfterQuietDays })}`}
      </p>
      <Problem error={creation.error ?? ending.error ?? own.error} />
      {own.isPending ? <Loading label={t('loading')} /> : null}
      {url === undefined ? null : <NewLink url={previewed(url, order, language)} />}
      {url === undefined && createdAt !== null ? (
        <p role="status">
          <bdi>{t('live', { time: formatMoment(createdAt, language) })}</bdi>
        </p>
      ) : null}
      {ending.isSuccess && createdAt === null && url === undefined ? <p role="status">{t('ended')}</p> : null}
      <div className={classes(layout.cluster, layout.gap3)}>
        {url === undefined ? (
          <Button
            look="primary"
            isBusy={isBusy || own.isPending}
            onClick={() => {
              ending.reset()
              creation.mutate()
            }}
          >
            {creation.isPending ? t('creating') : t(createdAt === null ? 'create' : 'createAnother')}
          </Button>
        ) : null}
        {createdAt === null && url === undefined ? null : (
          <Button look="quiet" isBusy={isBusy} onClick={() => ending.mutate()}>
            {ending.isPending ? t('ending') : t('end')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The link is shown only once, because the server stores only a hash of it. */
function NewLink({ url }: { readonly url: string }) {
  const { t } = useTranslation('share')
  const language = useLanguage()
  const { isCopied, copy } = useCopy(url)
  const text = t('message', { name: brand.name[language] })
  return (
    <div className={classes(layout.stack, layout.gap2)} role="status">
      <p className={styles.url}>
        <Ltr>{url}</Ltr>
      </p>
      <p className={textStyles.quiet}>{t('once')}</p>
      <div className={classes(layout.cluster, layout.gap3)}>
        {navigator.share === undefined ? (
          <ButtonLink look="primary" icon="share" href={whatsAppHref(`${text} ${url}`)} isNewTab>
            {t('send')}
          </ButtonLink>
        ) : (
          <Button look="primary" icon="share" onClick={() => openShareSheet({ text, url })}>
            {t('send')}
          </Button>
        )}
        {copy === undefined ? null : <Button onClick={copy}>{isCopied ? t('copied') : t('copy')}</Button>}
      </div>
    </div>
  )
}
