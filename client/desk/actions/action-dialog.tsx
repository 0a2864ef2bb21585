import { Button, Input, Radio } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Photo } from '#client/entities/claim/photo.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import { claimTextLength, photoNumbers } from '#shared/claims/claims.operations.ts'
import type { ClaimKind } from '#shared/claims/claims.schemas.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import type { DeskOrder, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sumIn } from '#shared/platform/money.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { ActDialog } from '../act-dialog.tsx'
import { Facts } from '../card.tsx'
import { PhotoButton } from '../claims/photo-button.tsx'
import { useDraftFields } from '../drafts.ts'
import { isolated } from '../isolated.ts'
import { Labelled } from '../labelled.tsx'
import { dayAndTime, useMinute } from '../moment.tsx'
import { inGroups } from '../orders/order-rows.tsx'
import { placeText } from '../orders/place.ts'
import { newLineOf } from '../orders/timeline.rules.ts'
import { claimPath } from '../pages.ts'
import { say } from '../said.tsx'
import { overOf } from '../work/work.rules.ts'
import styles from './actions.module.css'
import { type ActFields, carryOut, openClaim, useRefresh } from './actions.queries.ts'
import { type Act, lastFourOf, needsTwo, openRefundsOf, resendable, restOf, textOf } from './actions.rules.ts'

interface ActionDialogProps {
  readonly act: Act
  readonly order: DeskOrder
  readonly by: string
  /** Who has the order in a work list: an act takes it over. */
  readonly colleague: WorkRow['taken']
  readonly onClose: () => void
}

/** Asks back before an act on an order. */
export function ActionDialog({ act, ...props }: ActionDialogProps) {
  return act === 'claim' ? <ClaimDialog {...props} /> : <OrderDialog act={act} {...props} />
}

/** What has happened since the dialog was opened, in the words of its line. */
function useChange({ timeline }: DeskOrder): string | undefined {
  const [seen] = useState(timeline)
  return newLineOf(seen, timeline)?.text
}

type Choice = 'twice' | 'lost' | 'notGiven' | 'goodwill' | 'asked' | 'again' | 'mistake'

/** Why, by a choice that is written before the words. */
const choices: Partial<Record<Act, readonly Choice[]>> = {
  refund: ['twice', 'lost', 'notGiven', 'goodwill'],
  cancel: ['asked', 'again', 'mistake'],
}

/** What is filled in, with the first of what there is to choose; a choice that is not offered any more is none. */
function useOffered(order: DeskOrder, { transaction, message, ...typed }: ActFields): ActFields {
  const transactions = openRefundsOf(order).map(({ transactionId }) => transactionId)
  const messages = resendable(order, useMinute()).map(({ data }) => Number(data.message))
  const [first] = useState({ transaction: transactions[0], message: messages[0] })
  return {
    ...typed,
    transaction: transactions.find((offered) => offered === (transaction ?? first.transaction)),
    message: messages.find((offered) => offered === (message ?? first.message)),
  }
}

interface OrderDialogProps extends ActionDialogProps {
  readonly act: Exclude<Act, 'claim'>
}

function OrderDialog({ act, order, by, colleague, onClose }: OrderDialogProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const refresh = useRefresh()
  const place = `${act} ${order.orderId}`
  const [{ choice, ...typed }, change] = useDraftFields<ActFields & { choice?: Choice }>(by, place, {})
  const fields = useOffered(order, typed)
  const own = choices[act]
  const sum = formatMoney(restOf(order), language)
  const chosen = choice === undefined ? '' : `${t(`choice.${choice}`)}. `
  const isTwo = needsTwo(act, order, fields.transaction)
  const done = ({ approval, partnerText }: ActAnswer) => {
    refresh()
    say(approval ? t('waits') : t(`act.${act}.done`), partnerText)
    onClose()
  }
  return (
    <ActDialog
      title={t(`act.${act}.title`, { order: orderNumber(order.orderId) })}
      ok={t(textOf(act, 'ok', isTwo), { sum })}
      isDangerous={act === 'cancel'}
      by={by}
      place={place}
      label={t('reason')}
      length={{ least: reasonLength.least, most: reasonLength.most - chosen.length }}
      isReady={(own === undefined || choice !== undefined) && isFilled(act, fields)}
      changed={useChange(order)}
      act={(text, key) =>
        carryOut(act, order.orderId, { reason: `${chosen}${text}`, key, fields, over: overOf(colleague) })
      }
      onDone={done}
      onRefused={refresh}
      onClose={onClose}
    >
      {colleague === null ? null : <p>{t('takesOver', { name: isolated(colleague.name) })}</p>}
      <What act={act} order={order} fields={fields} isTwo={isTwo} />
      <Particulars act={act} order={order} fields={fields} onChange={change} />
      {own === undefined ? null : (
        <Radio.Group
          vertical
          aria-label={t('why')}
          value={choice}
          onChange={({ target }) => change({ choice: target.value })}
          options={own.map((value) => ({ value, label: t(`choice.${value}`) }))}
        />
      )}
    </ActDialog>
  )
}

interface WhatProps extends Pick<ParticularsProps, 'act' | 'order' | 'fields'> {
  /** A second person has to approve it. */
  readonly isTwo: boolean
}

/** What will happen. */
function What({ act, order, fields: { receiver, message }, isTwo }: WhatProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const sum = formatMoney(restOf(order), language)
  const name = receiver === null ? t('receiver.becomesOwner') : isolated(receiver?.name.trim() || '…')
  const isUnpaid = act === 'cancel' && order.status !== 'PAID'
  return (
    <>
      {act === 'resend' ? (
        <ResendQuestion order={order} message={message} />
      ) : (
        <p>{t(isUnpaid ? 'act.cancel.unpaid' : textOf(act, 'what', isTwo), { sum, name })}</p>
      )}
      {isTwo && (act === 'receiver' || act === 'reissue') ? <p>{t('two')}</p> : null}
    </>
  )
}

interface ResendQuestionProps {
  readonly order: DeskOrder
  readonly message: number | undefined
}

/** Which message goes where. */
function ResendQuestion({ order, message }: ResendQuestionProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const line = order.timeline.find(({ data }) => data.message === message)
  if (line === undefined) return null
  const kind = nameOfMessage(line, language)
  const last = lastFourOf(line, order)
  return (
    <p>
      {last === undefined
        ? t('act.resend.letter', { kind })
        : t('act.resend.what', { kind, number: isolated(`••• ${last}`) })}
    </p>
  )
}

const nameOfMessage = ({ data }: TimelineLine, language: LanguageCode): string => {
  const about = String(data.about)
  return isMessageKind(about) ? messageNames[about][language] : about
}

const isMessageKind = (about: string): about is MessageKind => Object.hasOwn(messageNames, about)

/** Which message. */
function MessageChoice({ order, fields, onChange }: Omit<ParticularsProps, 'act'>) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  return (
    <Radio.Group
      vertical
      aria-label={t('act.resend.which')}
      value={fields.message}
      onChange={({ target }) => onChange({ message: target.value })}
      options={resendable(order, useMinute()).map((line) => ({
        value: Number(line.data.message),
        label: t('act.resend.one', {
          kind: nameOfMessage(line, language),
          end: t(`act.resend.${line.kind}`),
          ...dayAndTime(line.at, language),
        }),
      }))}
    />
  )
}

const isFilled = (act: Act, { receiver, transaction, message }: ActFields): boolean => {
  if (act === 'resend') return message !== undefined
  if (act === 'receiver') return receiver === null || (receiver?.name.trim() ?? '') !== ''
  return act !== 'write-off' || transaction !== undefined
}

interface ParticularsProps {
  readonly act: Act
  readonly order: DeskOrder
  readonly fields: ActFields
  readonly onChange: (fields: ActFields) => void
}

/** The facts that an act moves, and what has to be filled in. */
function Particulars({ act, order, fields, onChange }: ParticularsProps): ReactNode {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  if (act === 'receiver') return <ReceiverFields order={order} fields={fields} onChange={onChange} />
  if (act === 'resend') return <MessageChoice order={order} fields={fields} onChange={onChange} />
  if (act === 'refund' || (act === 'cancel' && order.status === 'PAID'))
    return (
      <Facts
        isBoxed
        facts={[
          [t('goesBack'), <b key="sum">{formatMoney(restOf(order), language)}</b>],
          [
            t('to'),
            order.transactionId === null
              ? undefined
              : t('card', { transaction: isolated(inGroups(order.transactionId, 3)) }),
          ],
        ]}
      />
    )
  if (act !== 'write-off') return null
  const refunds = openRefundsOf(order)
  return (
    <Radio.Group
      vertical
      aria-label={t('which')}
      value={fields.transaction}
      onChange={({ target }) => onChange({ transaction: target.value })}
      options={refunds.map(({ transactionId, amountHalalas, currency: of }) => ({
        value: transactionId,
        label: t('refundOf', {
          sum: isolated(sumIn(language, amountHalalas, of)),
          transaction: isolated(inGroups(transactionId, 3)),
        }),
      }))}
    />
  )
}

function ReceiverFields({ order, fields: { receiver }, onChange }: Omit<ParticularsProps, 'act'>) {
  const { t } = useTranslation('desk-actions')
  const isOwner = receiver === null
  const name = receiver?.name ?? ''
  const phone = receiver?.phone ?? ''
  const set = (next: { name: string; phone: string }) =>
    onChange({ receiver: { name: next.name, ...(next.phone !== '' && { phone: next.phone }) } })
  return (
    <>
      {order.receiver == null ? null : (
        <Radio.Group
          vertical
          aria-label={t('receiver.who')}
          value={isOwner ? 'owner' : 'other'}
          onChange={({ target }) =>
            target.value === 'owner' ? onChange({ receiver: null }) : set({ name: '', phone: '' })
          }
          options={(['owner', 'other'] as const).map((value) => ({ value, label: t(`receiver.${value}`) }))}
        />
      )}
      {isOwner ? null : (
        <div className={styles.fields}>
          <Labelled text={t('receiver.name')}>
            <Input
              maxLength={80}
              autoComplete="off"
              value={name}
              onChange={({ target }) => set({ name: target.value, phone })}
            />
          </Labelled>
          <Labelled text={t('receiver.phone')}>
            <Input
              type="tel"
              dir="ltr"
              maxLength={30}
              autoComplete="off"
              value={phone}
              onChange={({ target }) => set({ name, phone: target.value })}
            />
          </Labelled>
        </div>
      )}
    </>
  )
}

/** Reports a problem for the owner. */
function ClaimDialog({ order, by, onClose }: Omit<ActionDialogProps, 'act' | 'colleague'>) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const place = `claim of ${order.orderId}`
  // Too large to be kept.
  const [photos, setPhotos] = useState<readonly Photo['bytes'][]>([])
  const [fields, change] = useDraftFields<{ kind?: ClaimKind; awb?: string | null }>(by, place, {})
  // Of several bags without an airway bill a claim is about the first.
  const bags = order.bookings.filter(
    ({ awb }, index, all) => all.findIndex((other) => other.awb === awb) === index,
  )
  const bag = bags.length > 1 ? bags.find(({ awb }) => awb === fields.awb) : bags[0]
  const kind = fields.kind && bag?.claimKinds.includes(fields.kind) ? fields.kind : undefined
  return (
    <ActDialog
      title={t('act.claim.title', { order: orderNumber(order.orderId) })}
      ok={t('act.claim.ok')}
      by={by}
      place={place}
      label={t('act.claim.label')}
      length={claimTextLength}
      rows={4}
      isReady={kind !== undefined}
      changed={useChange(order)}
      act={(text, key) => {
        if (kind === undefined) throw new Error('a claim has a kind')
        return openClaim(order.orderId, { kind, text, ...(bag?.awb && { awb: bag.awb }) }, photos, key)
      }}
      onDone={({ claimId }) => {
        refresh()
        void navigate(claimPath(claimId))
      }}
      onRefused={refresh}
      onClose={onClose}
    >
      <p>{t('act.claim.what')}</p>
      {bags.length < 2 ? null : (
        <Radio.Group
          aria-label={t('act.claim.bag')}
          value={bag && bags.indexOf(bag)}
          onChange={({ target }) => change({ awb: bags[target.value]?.awb ?? null })}
          options={bags.map(({ awb, destination }, value) => ({
            value,
            label: t('act.claim.bagOf', {
              bag: awb === null ? t('act.claim.noAwb') : isolated(inGroups(awb, 4)),
              place: isolated(placeText(destination, language)),
            }),
          }))}
        />
      )}
      <Radio.Group
        vertical
        aria-label={t('act.claim.kind')}
        value={kind}
        onChange={({ target }) => change({ kind: target.value })}
        options={(bag?.claimKinds ?? []).map((value) => ({ value, label: claimKindNames[value][language] }))}
      />
      <div className={styles.photos}>
        {photos.map((bytes, index) => (
          <Button
            key={photoNumbers[index]}
            size="small"
            onClick={() => setPhotos(photos.filter((each) => each !== bytes))}
          >
            {t('act.claim.photoRemove', { number: index + 1 })}
          </Button>
        ))}
        {photos.length < photoNumbers.length ? (
          <PhotoButton onAdd={({ bytes }) => setPhotos([...photos, bytes])} />
        ) : null}
      </div>
    </ActDialog>
  )
}
