// Tables store these words of the desk. They are not in `shared/desk`, because a copy without the desk keeps its
// tables.

/**
 * One staff member requests such an act and another approves it. `compensation` closes a claim as compensated. `number`
 * gives an account another phone, and `end-sessions` ends the sessions of everyone; these two have no order.
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

/** `alone`: the act needed no approval; it is stored because it counts for the limits. */
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
