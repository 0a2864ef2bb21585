import { call, isCallProblem } from '#client/platform/call.ts'
import { openDocument, useBfcacheRestore } from '#client/platform/document.ts'
import { paths } from '#client/platform/paths.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { renewPayment } from '#shared/orders/orders.operations.ts'

/**
 * A client secret for an unpaid order. `spent` is a secret the card form refuses payments with: the server then issues
 * another one, or returns the same when the order has used all its secrets.
 */
export function reopenPayment(orderId: number, spent?: string) {
  const body = spent === undefined ? {} : { clientSecret: spent, spent: true }
  return call(renewPayment, { params: { id: String(orderId) }, body })
}

interface PayAgain {
  readonly pay: () => void
  /** From the press until the payment page replaces this document. */
  readonly isBusy: boolean
  /** The server's message when the payment cannot be opened. */
  readonly problem: string | undefined
}

/** Opens the payment page of an unpaid order. */
export function usePayAgain(orderId: number): PayAgain {
  const reopen = useSingleMutation({
    mutationFn: () => reopenPayment(orderId),
    onSuccess: (payment) => openDocument(paths.payment(payment)),
  })
  useBfcacheRestore(reopen.reset)
  return {
    pay: () => reopen.mutate(),
    isBusy: reopen.isPending || reopen.isSuccess,
    problem: isCallProblem(reopen.error) ? reopen.error.message : undefined,
  }
}
