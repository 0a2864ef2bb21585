import { Button, Flex, Form, Input } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Photo } from '#client/entities/claim/photo.ts'
import { formatMoment } from '#client/platform/dates.ts'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import { claimTextLength, photoNumbers } from '#shared/claims/claims.operations.ts'
import type { ClaimKind } from '#shared/claims/claims.schemas.ts'
import type { DeskOrder, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { WorkRow } from '#shared/desk/work/work.schemas.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { LanguageCode, Names } from '#shared/platform/language.ts'
import { sumIn } from '#shared/platform/money.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { ActDialog, ChoiceItem, needed, TextItem, useActForm } from '../act-dialog.tsx'
import { Facts } from '../card.tsx'
import { PhotoButton } from '../claims/photo-button.tsx'
import { isolated } from '../isolated.ts'
import { useMinute } from '../moment.tsx'
import { useNotice } from '../notices.tsx'
import { inGroups } from '../orders/order-rows.tsx'
import { placeText } from '../orders/place.ts'
import { newLineOf } from '../orders/timeline.rules.ts'
import { claimPath } from '../pages.ts'
import { overOf } from '../work/work.rules.ts'
import { type ActFields, carryOut, openClaim, useRefresh } from './actions.queries.ts'
import { type Act, lastFourOf, needsTwo, openRefundsOf, resendable, restOf, textOf } from './actions.rules.ts'

interface ActionDialogProps {
  act: Act
  order: DeskOrder
  by: string
  /** The colleague who has the order in a work list. An act takes the order over. */
  colleague: WorkRow['taken']
  onClose: () => void
}

/** Asks the operator to confirm an act on an order. */
export function ActionDialog({ act, ...props }: ActionDialogProps) {
  return act === 'claim' ? <ClaimDialog {...props} /> : <OrderDialog act={act} {...props} />
}

/** The newest line that was added to the timeline since the dialog was opened. */
function useChange({ timeline }: DeskOrder): string | undefined {
  const [seen] = useState(timeline)
  return newLineOf(seen, timeline)?.text
}

type Choice = 'twice' | 'lost' | 'notGiven' | 'goodwill' | 'asked' | 'again' | 'mistake'

/** Reasons to choose from. The chosen one is written before the operator's own words. */
const choices: Partial<Record<Act, readonly Choice[]>> = {
  refund: ['twice', 'lost', 'notGiven', 'goodwill'],
  cancel: ['asked', 'again', 'mistake'],
}

interface OrderDialogProps extends ActionDialogProps {
  act: Exclude<Act, 'claim'>
}

interface OrderFields extends Pick<ActFields, 'transaction' | 'message'> {
  who: 'owner' | 'other'
  receiver?: { name: string; phone?: string }
  choice?: Choice
  reason: string
}

function OrderDialog({ act, order, by, colleague, onClose }: OrderDialogProps) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const refresh = useRefresh()
  const showNotice = useNotice()
  const changed = useChange(order)
  const refunds = openRefundsOf(order)
  const messages = resendable(order, useMinute())
  const form = useActForm({
    by,
    name: `${act} ${order.orderId}`,
    initial: {
      who: 'other',
      transaction: refunds[0]?.transactionId,
      message: messages[0] && Number(messages[0].data.message),
    },
    act: ({ who, choice, reason, receiver, transaction, message }: OrderFields, key) =>
      carryOut(act, order.orderId, {
        reason: choice === undefined ? reason : `${t(`choice.${choice}`)}. ${reason}`,
        key,
        fields: {
          receiver:
            who === 'owner' || receiver === undefined
              ? null
              : { name: receiver.name, ...(receiver.phone && { phone: receiver.phone }) },
          transaction,
          message,
        },
        over: overOf(colleague),
      }),
    onDone({ approval, partnerText }) {
      refresh()
      showNotice(approval ? t('waits') : t(`act.${act}.done`), partnerText)
      onClose()
    },
    onRefused: refresh,
  })
  const { who, choice, receiver, transaction, message } = form.values
  const own = choices[act]
  const chosen = choice === undefined ? '' : `${t(`choice.${choice}`)}. `
  const sum = formatMoney(restOf(order), language)
  const isTwo = needsTwo(act, order, transaction)
  const isPaidBack = act === 'refund' || (act === 'cancel' && order.status === 'PAID')
  const name = who === 'owner' ? t('receiver.becomesOwner') : isolated(receiver?.name.trim() || '…')
  const line = messages.find(({ data }) => Number(data.message) === message)
  function questionText(): string | undefined {
    if (act !== 'resend')
      return act === 'cancel' && order.status !== 'PAID'
        ? t('act.cancel.unpaid')
        : t(textOf(act, 'what', isTwo), { sum, name })
    if (line === undefined) return undefined
    const kind = nameOfMessage(line, language)
    const last = lastFourOf(line, order)
    return last === undefined
      ? t('act.resend.letter', { kind })
      : t('act.resend.what', { kind, number: isolated(`••• ${last}`) })
  }
  return (
    <ActDialog
      form={form}
      title={t(`act.${act}.title`, { order: orderNumber(order.orderId) })}
      ok={t(textOf(act, 'ok', isTwo), { sum })}
      isDangerous={act === 'cancel'}
      changed={changed}
      onClose={onClose}
    >
      {colleague === null ? null : <p>{t('takesOver', { name: isolated(colleague.name) })}</p>}
      <p>{questionText()}</p>
      {isTwo && (act === 'receiver' || act === 'reissue') ? <p>{t('two')}</p> : null}
      {act === 'receiver' ? <ReceiverItems order={order} isOwner={who === 'owner'} /> : null}
      {act === 'resend' ? (
        <ChoiceItem
          name="message"
          label={t('act.resend.which')}
          options={messages.map((each) => ({
            value: Number(each.data.message),
            label: t('act.resend.one', {
              kind: nameOfMessage(each, language),
              end: t(`act.resend.${each.kind}`),
              time: formatMoment(each.at, language),
            }),
          }))}
        />
      ) : null}
      {isPaidBack ? (
        <Facts
          isBoxed
          facts={[
            [t('goesBack'), <b key="sum">{sum}</b>],
            [
              t('to'),
              order.transactionId === null
                ? undefined
                : t('card', { transaction: isolated(inGroups(order.transactionId, 3)) }),
            ],
          ]}
        />
      ) : null}
      {act === 'write-off' ? (
        <ChoiceItem
          name="transaction"
          label={t('which')}
          options={refunds.map(({ transactionId, amountHalalas, currency }) => ({
            value: transactionId,
            label: t('refundOf', {
              sum: isolated(sumIn(language, amountHalalas, currency)),
              transaction: isolated(inGroups(transactionId, 3)),
            }),
          }))}
        />
      ) : null}
      {own === undefined ? null : (
        <ChoiceItem
          name="choice"
          label={t('why')}
          options={own.map((value) => ({ value, label: t(`choice.${value}`) }))}
        />
      )}
      <TextItem
        name="reason"
        label={t('reason')}
        length={{ least: reasonLength.least, most: reasonLength.most - chosen.length }}
      />
    </ActDialog>
  )
}

const kindNames: Names<string> = messageNames

const nameOfMessage = ({ data }: TimelineLine, language: LanguageCode): string =>
  kindNames[String(data.about)]?.[language] ?? String(data.about)

interface ReceiverItemsProps {
  order: DeskOrder
  isOwner: boolean
}

function ReceiverItems({ order, isOwner }: ReceiverItemsProps) {
  const { t } = useTranslation('desk-actions')
  return (
    <>
      {order.receiver == null ? null : (
        <ChoiceItem
          name="who"
          label={t('receiver.who')}
          options={(['owner', 'other'] as const).map((value) => ({ value, label: t(`receiver.${value}`) }))}
        />
      )}
      {isOwner ? null : (
        <Flex gap="middle" wrap>
          <Form.Item name={['receiver', 'name']} label={t('receiver.name')} rules={[needed()]}>
            <Input maxLength={80} autoComplete="off" />
          </Form.Item>
          <Form.Item name={['receiver', 'phone']} label={t('receiver.phone')}>
            <Input type="tel" dir="ltr" maxLength={30} autoComplete="off" />
          </Form.Item>
        </Flex>
      )}
    </>
  )
}

interface ClaimFields {
  bag?: string
  kind: ClaimKind
  text: string
}

/** Opens a claim in the name of the order's owner. */
function ClaimDialog({ order, by, onClose }: Omit<ActionDialogProps, 'act' | 'colleague'>) {
  const { t } = useTranslation('desk-actions')
  const language = useLanguage()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const changed = useChange(order)
  // Photographs are too large for a draft.
  const [photos, setPhotos] = useState<readonly Photo['bytes'][]>([])
  // Bags without an airway bill cannot be distinguished, so only the first one is offered.
  const bags = order.bookings.filter(
    ({ awb }, index, all) => all.findIndex((other) => other.awb === awb) === index,
  )
  const isSingle = bags.length < 2
  const bagOf = (awb: string | undefined) =>
    isSingle ? bags[0] : bags.find((each) => (each.awb ?? '') === awb)
  const form = useActForm({
    by,
    name: `claim of ${order.orderId}`,
    act({ bag, kind, text }: ClaimFields, key) {
      const awb = bagOf(bag)?.awb
      return openClaim(order.orderId, { kind, text, ...(awb && { awb }) }, photos, key)
    },
    onDone({ claimId }) {
      refresh()
      void navigate(claimPath(claimId))
    },
    onRefused: refresh,
  })
  return (
    <ActDialog
      form={form}
      title={t('act.claim.title', { order: orderNumber(order.orderId) })}
      ok={t('act.claim.ok')}
      changed={changed}
      onClose={onClose}
    >
      <p>{t('act.claim.what')}</p>
      {isSingle ? null : (
        <ChoiceItem
          name="bag"
          label={t('act.claim.bag')}
          options={bags.map(({ awb, destination }) => ({
            value: awb ?? '',
            label: t('act.claim.bagOf', {
              bag: awb === null ? t('act.claim.noAwb') : isolated(inGroups(awb, 4)),
              place: isolated(placeText(destination, language)),
            }),
          }))}
        />
      )}
      <ChoiceItem
        name="kind"
        label={t('act.claim.kind')}
        options={(bagOf(form.values.bag)?.claimKinds ?? []).map((value) => ({
          value,
          label: claimKindNames[value][language],
        }))}
      />
      <TextItem name="text" label={t('act.claim.label')} length={claimTextLength} rows={4} />
      <Flex gap="small" wrap>
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
      </Flex>
    </ActDialog>
  )
}
