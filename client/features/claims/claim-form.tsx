import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Photo } from '#client/entities/claim/photo.ts'
import { CityBlock } from '#client/entities/location/city-block.tsx'
import { orderQuery } from '#client/entities/order/kept-orders.queries.ts'
import { OrderNumber } from '#client/entities/order/order-number.tsx'
import { handoverPhotoHref } from '#client/entities/tag/handover-photo.tsx'
import { formatMomentInBoth, formatWeekdayAndDayInBoth } from '#client/platform/dates.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { isTransient } from '#client/platform/query-client.ts'
import { useIsTold } from '#client/session/use-is-told.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Form, useForm } from '#client/ui/form.tsx'
import knotStyles from '#client/ui/knot.module.css'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import { Problem } from '#client/ui/problem.tsx'
import textStyles from '#client/ui/text.module.css'
import { claimTextLength } from '#shared/claims/claims.operations.ts'
import type { Claim, ClaimOffer } from '#shared/claims/claims.schemas.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { cityName } from '#shared/platform/city-names.ts'
import styles from './claims.module.css'
import { type OpenedClaim, useOpenClaim } from './claims.queries.ts'
import { type AskedClaim, faultsOf, offeredKinds, type TypedClaim } from './claims.rules.ts'
import { PhotoField } from './photo-field.tsx'
import { TextAreaField } from './text-area-field.tsx'

interface ClaimFormProps {
  readonly orderId: string
  readonly offer: ClaimOffer
  /** The problem that the link to this form names. It is preselected unless there is a draft. */
  readonly asked: AskedClaim
  readonly onSent: (claim: Claim, isPhotoLost: boolean) => void
}

/** Reports a problem with a bag: its kind, a description, at most two photographs, and the next steps. */
export function ClaimForm({ orderId, offer, asked, onSent }: ClaimFormProps) {
  const { t } = useTranslation('claims')
  // A bag that was not handed over has no kinds, so it cannot be chosen.
  const bags = offer.bags.flatMap(({ kinds }, index) => (kinds.length > 0 ? [index] : []))
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const open = useOpenClaim(orderId)
  const form = useForm<TypedClaim, OpenedClaim>({
    values: {
      bag: bags.includes(asked.bag) ? asked.bag : (bags[0] ?? 0),
      kind: asked.kind,
      text: '',
    },
    draft: `order-${orderId}`,
    check(typed) {
      const faults = faultsOf(typed, offeredKinds(offer, typed.bag))
      return {
        kind: faults.includes('kind') ? t('kind.missing') : undefined,
        text: faults.includes('text') ? t('text.short') : undefined,
      }
    },
    send({ kind, bag, text }, keyOf) {
      const awb = offer.bags.length > 1 ? offer.bags[bag]?.awb : undefined
      const request = { kind: kind ?? 'other', text, ...(awb === undefined ? {} : { awb }) }
      return open(request, keyOf(request), photos)
    },
    onSent: ({ claim, isPhotoLost }) => onSent(claim, isPhotoLost),
  })
  const { values, faults, change, problem, isSending } = form
  const order = useQuery(orderQuery(orderId)).data?.order
  const before = order && handoverPhotoOf(order, values.bag)

  return (
    <Form form={form} className={classes(layout.stack, layout.gap4, styles.form)}>
      {/* The form does not wait for the order. */}
      {order === undefined ? null : <Bag order={order} index={values.bag} />}
      {bags.length > 1 ? (
        <Chips
          title={t('which')}
          options={bags.map((index) => ({
            value: index,
            text: t('bagOf', { number: index + 1, total: offer.bags.length }),
          }))}
          value={values.bag}
          onChoose={(bag) => change({ bag })}
        />
      ) : null}
      <Chips
        title={t('kind.title')}
        error={faults.kind}
        options={offeredKinds(offer, values.bag).map((kind) => ({ value: kind, text: t(`kinds.${kind}`) }))}
        value={values.kind}
        onChoose={(kind) => change({ kind })}
      />
      <TextAreaField
        form={form}
        name="text"
        label={t('text.label')}
        rows={4}
        maxLength={claimTextLength.most}
      />
      <PhotoField
        photos={photos.map(({ preview }) => preview)}
        onAdd={(photo) => setPhotos([...photos, photo])}
        onRemove={(index) => setPhotos(photos.filter((_, other) => other !== index))}
        before={before}
      />
      <div className={styles.side}>
        <Next answerBy={offer.answerBy} />
        <div className={classes(buttonStyles.dock, layout.stack, layout.gap2)}>
          <Problem error={problem} />
          {isTransient(problem) ? <p className={textStyles.quiet}>{t('kept')}</p> : null}
          <Button look="primary" isWide type="submit" isBusy={isSending}>
            {isSending ? t('sending') : t('send')}
          </Button>
        </div>
      </div>
    </Form>
  )
}

/** The address of the picture that the agent took of a bag. */
function handoverPhotoOf({ orderId, bookings }: Order, index: number): string | undefined {
  const bag = bookings[index]
  if (bag?.photo === undefined || bag.awb === null) return undefined
  return handoverPhotoHref(orderId, bag.awb)
}

/** The bag of the claim. */
function Bag({ order, index }: { readonly order: Order; readonly index: number }) {
  const { t } = useTranslation('claims')
  const { t: ofJourney } = useTranslation('journey')
  const language = useLanguage()
  const bag = order.bookings[index]
  if (bag === undefined) return null
  const { destination, lastEventAt } = bag
  const { city } = destination
  return (
    <div className={`${layout.line} ${layout.gap3}`}>
      <CityBlock city={city} />
      <div>
        <b>{city === undefined ? t('bagAnywhere') : t('bag', { city: cityName(city, language) })}</b>
        <p className={textStyles.hint}>
          <OrderNumber orderId={order.orderId} />
          {lastEventAt === null ? null : (
            <span>
              {' · '}
              {ofJourney('lastSeen')}{' '}
              <time dateTime={lastEventAt}>{formatMomentInBoth(lastEventAt, language)}</time>
            </span>
          )}
        </p>
      </div>
    </div>
  )
}

interface ChipsProps<T> {
  readonly title: string
  readonly error?: string | undefined
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly value: T | undefined
  readonly onChoose: (value: T) => void
}

/** A choice between a few options. */
function Chips<T extends string | number>({ title, error, options, value, onChoose }: ChipsProps<T>) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId}>
      <legend className={styles.question}>{title}</legend>
      <div className={`${layout.cluster} ${layout.gap2}`}>
        {options.map((option, index) => (
          <button
            key={option.value}
            type="button"
            className={buttonStyles.chip}
            aria-pressed={option.value === value}
            // The first kind gets the focus when no kind is chosen.
            data-invalid={error !== undefined && index === 0 ? true : undefined}
            onClick={() => onChoose(option.value)}
          >
            {option.text}
          </button>
        ))}
      </div>
      {error === undefined ? null : (
        <p id={errorId} className={fieldStyles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The steps after a report. A message is promised only to users who get messages. */
function Next({ answerBy }: { readonly answerBy: string }) {
  const { t } = useTranslation('claims')
  const language = useLanguage()
  const isTold = useIsTold()
  const day = formatWeekdayAndDayInBoth(answerBy, language)
  return (
    <div>
      <h2 className={styles.question}>{t('next.title')}</h2>
      <ol className={`${knotStyles.threadList} ${styles.next}`}>
        <li>
          <i className={knotStyles.knot} aria-hidden="true" />
          <b>{t('next.now')}</b> <span>{t(isTold ? 'next.nowTold' : 'next.nowShown')}</span>
        </li>
        <li>
          <i className={knotStyles.knot} aria-hidden="true" />
          <b>{t('next.by', { day })}</b> <span>{t(isTold ? 'next.byTold' : 'next.byShown')}</span>
          <p className={textStyles.hint}>{t('next.days')}</p>
        </li>
        <li>
          <i className={knotStyles.knot} aria-hidden="true" />
          <b>{t('next.late')}</b> {t('next.authority')} <Ltr>19929</Ltr>
        </li>
      </ol>
    </div>
  )
}
