import type { MessageKind } from './messages.schemas.ts'

/** Sent to the receiver of a bag, who has no account. Others go to the owner. */
export const receiverKinds = [
  'receiver-named',
  'receiver-at-branch',
] as const satisfies readonly MessageKind[]

export const isForReceiver = (kind: string): boolean => (receiverKinds as readonly string[]).includes(kind)
