// Tables store these words of the desk. They are not in `shared/desk`, because a gateway without the desk has the same
// tables.

/** `number` changes the phone number of an account, and `end-sessions` signs everyone out. Both have no order. */
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

/** `alone`: the act needed no approval, but counts for the limits. */
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
