import { legacyCall } from '#server/legacy.ts'
import type { PaymentsService } from './payments.service.ts'

export const beginPayment = legacyCall<PaymentsService, 'begin'>('payments', 'begin')
export const repeatPayment = legacyCall<PaymentsService, 'repeat'>('payments', 'repeat')
export const cancelWithin = legacyCall<PaymentsService, 'cancelWithin'>('payments', 'cancelWithin')
export const erasePaymentsOfOrders = legacyCall<PaymentsService, 'eraseOrders'>('payments', 'eraseOrders')
export const exportPayments = legacyCall<PaymentsService, 'exportPayments'>('payments', 'exportPayments')
export const hasUnsettledPayments = legacyCall<PaymentsService, 'hasUnsettled'>('payments', 'hasUnsettled')
export const readReturnedAmount = legacyCall<PaymentsService, 'readReturned'>('payments', 'readReturned')
export const findOrderOfPayment = legacyCall<PaymentsService, 'findOrderId'>('payments', 'findOrderId')
export const refreshPayment = legacyCall<PaymentsService, 'refresh'>('payments', 'refresh')
export const renewPayment = legacyCall<PaymentsService, 'renew'>('payments', 'renew')
export const cancelOrder = legacyCall<PaymentsService, 'cancel'>('payments', 'cancel')
export const openPayment = legacyCall<PaymentsService, 'open'>('payments', 'open')
