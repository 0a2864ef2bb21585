// Tables store these words for the desk (`shared/desk`). The tables stay in a copy without it.

/**
 * One staff member requests the act and another approves it. `compensation`: a claim closed as compensated. `number`
 * (another number for an account) and `end-sessions` (of everyone) have no order.
 */
export const approvalActs = [
  'refund',
  'write-off',
  'cancel',
  'reissue',
  'receiver',
  'compensation',
  'number',
  'end-sessions',
] as const
export type ApprovalAct = (typeof approvalActs)[number]

/** `alone`: without approval, stored because it counts. */
export const approvalStates = ['waiting', 'approved', 'refused', 'overtaken', 'expired', 'alone'] as const
export type ApprovalState = (typeof approvalStates)[number]

export const workKinds = [
  'labels',
  'refunds',
  'payments',
  'bags',
  'messages',
  'claims',
  'agents',
  'approvals',
] as const
export type WorkKind = (typeof workKinds)[number]
