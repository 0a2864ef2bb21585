/** True for refusals that only a new Idempotency-Key resolves: the order expired or was refunded, or the fare changed. */
export function isOrderOver(code: string): boolean {
  return code === 'ORDER_NOT_PAYABLE' || code === 'IDEMPOTENCY_CONFLICT'
}
