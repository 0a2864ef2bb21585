import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/platform/call.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { openShareSheet, useCopy, whatsAppHref } from '#client/platform/share.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Overlay } from '#client/ui/overlay.tsx'
import { Problem } from '#client/ui/problem.tsx'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { defaultLanguage, type LanguageCode } from '#shared/platform/language.ts'
import { previewCity } from '#shared/platform/link-preview.ts'
import { createShare, endShare, readOwnShare, shareEndsAfterDays } from '#shared/shares/shares.operations.ts'
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

/** Opens the sheet in which the owner sends and ends the link to the bags' journey. */
export function ShareJourney({ order, look }: ShareJourneyProps) {
  const { t } = useTranslation('share')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look={look} isWide={look === 'primary'} icon="share" onClick={() => setIsOpen(true)}>
        {t('open')}
      </Button>
      {isOpen ? (
        <Overlay kind="sheet" title={t('title')} className={styles.sheet} onClose={() => setIsOpen(false)}>
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
  const [url, setUrl] = useState<string>()
  const send = useSingleMutation({
    mutationFn: async () => url ?? previewed((await call(createShare, { params })).url, order, language),
    onSuccess: (made) => {
      setUrl(made)
      // Where the press is too long ago for the share sheet, the next press opens it.
      if (navigator.share !== undefined) openShareSheet({ text: messageOf(), url: made })
    },
    onSettled: renew,
  })
  const ending = useSingleMutation({
    mutationFn: () => call(endShare, { params }),
    onSuccess: () => setUrl(undefined),
    onSettled: renew,
  })
  const messageOf = () => t('message', { name: brand.name[language] })
  const isBusy = send.isPending || ending.isPending
  const isLive = url !== undefined || (own.data?.createdAt ?? null) !== null
  return (
    <div className={classes(layout.stack, layout.gap3, styles.share)}>
      <p>{t('seen', { count: shareEndsAfterDays })}</p>
      <Problem error={send.error ?? ending.error ?? own.error} />
      {url !== undefined && navigator.share === undefined ? (
        <SendByHand url={url} text={messageOf()} />
      ) : (
        <Button
          look="primary"
          isWide
          icon="share"
          isBusy={isBusy || own.isPending}
          onClick={() => {
            ending.reset()
            send.mutate()
          }}
        >
          {t(send.isPending ? 'sending' : isLive && url === undefined ? 'replace' : 'send')}
        </Button>
      )}
      {isLive ? (
        <Button look="quiet" isBusy={isBusy} onClick={() => ending.mutate()}>
          {t(ending.isPending ? 'ending' : 'end')}
        </Button>
      ) : null}
      <p role="status">{ending.isSuccess && !isLive ? t('ended') : null}</p>
    </div>
  )
}

interface SendByHandProps {
  readonly url: string
  /** The text of the message, before the link. */
  readonly text: string
}

/** For a browser without a share sheet. */
function SendByHand({ url, text }: SendByHandProps) {
  const { t } = useTranslation('share')
  const { isCopied, copy } = useCopy(url)
  return (
    <>
      <ButtonLink look="primary" isWide icon="share" href={whatsAppHref(`${text} ${url}`)} isNewTab>
        {t('send')}
      </ButtonLink>
      {copy === undefined ? null : (
        <Button look="quiet" onClick={copy}>
          {t(isCopied ? 'copied' : 'copy')}
        </Button>
      )}
    </>
  )
}
