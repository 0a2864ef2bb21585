import { useQueryClient } from '@tanstack/react-query'
import type { Photo } from '#client/entities/claim/photo.ts'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import type { ClaimRequest } from '#shared/claims/claims.schemas.ts'
import {
  cancelAtDesk,
  changeReceiverAtDesk,
  checkedAtDesk,
  inquireAtDesk,
  listApprovals,
  noteAtDesk,
  refundAtDesk,
  reissueAtDesk,
  resendAtDesk,
  writeOffAtDesk,
} from '#shared/desk/actions/actions.operations.ts'
import type { ActAnswer, ReceiverBody } from '#shared/desk/actions/actions.schemas.ts'
import { openDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import { readDeskOrder } from '#shared/desk/orders/desk-orders.operations.ts'
import { readWork } from '#shared/desk/work/work.operations.ts'
import { sendPhoto } from '../claims/send-photo.ts'
import { keyed } from '../sending.ts'
import type { Over } from '../work/work.rules.ts'
import type { Act } from './actions.rules.ts'

/** The fields of an act, without its reason. */
export interface ActFields {
  /** `null` when the owner collects the bag. */
  receiver?: ReceiverBody['receiver']
  transaction?: string | undefined
  /** The message that is sent again. */
  message?: number | undefined
}

/** Fetches the data again that an act may have changed. */
export function useRefresh() {
  const queries = useQueryClient()
  return () => {
    for (const operation of [readDeskOrder, readWork, listApprovals])
      void queries.invalidateQueries({ queryKey: operationKey(operation) })
  }
}

const plain = {
  inquire: inquireAtDesk,
  checked: checkedAtDesk,
  reissue: reissueAtDesk,
  cancel: cancelAtDesk,
  refund: refundAtDesk,
} as const

/** Carries an act out, or creates an approval request for it. @param key the same for every press of one dialog */
export async function carryOut(
  act: Exclude<Act, 'claim'>,
  orderId: number,
  { reason, key, fields, over }: { reason: string; key: string; fields: ActFields; over: Over },
): Promise<ActAnswer> {
  const target = { params: { id: String(orderId) }, headers: keyed(key) }
  const body = { reason, ...over }
  const { receiver = null, message, transaction = '' } = fields
  switch (act) {
    case 'receiver':
      return call(changeReceiverAtDesk, { ...target, body: { ...body, receiver } })
    case 'resend':
      return call(resendAtDesk, { ...target, body: { ...body, ...(message !== undefined && { message }) } })
    case 'write-off':
      return call(writeOffAtDesk, { ...target, body: { ...body, transaction } })
    default:
      return call(plain[act], { ...target, body })
  }
}

/** Opens a claim, then sends its photographs. A repetition with the same key stores nothing twice. */
export async function openClaim(
  orderId: number,
  body: ClaimRequest,
  photos: readonly Photo['bytes'][],
  key: string,
) {
  const opened = await call(openDeskClaim, { params: { id: String(orderId) }, headers: keyed(key), body })
  for (const [index, bytes] of photos.entries())
    await sendPhoto(opened.claimId, index + 1, bytes, `${key}-${index + 1}`)
  return opened
}

export const addNote = (orderId: number, text: string, key: string) =>
  call(noteAtDesk, { params: { id: String(orderId) }, headers: keyed(key), body: { text } })
