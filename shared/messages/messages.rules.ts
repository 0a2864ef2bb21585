import type { MessageKind } from './messages.schemas.ts'

export const receiverKinds = [
  'receiver-named',
  'receiver-at-branch',
] as const satisfies readonly MessageKind[]

export const isForReceiver = (kind: string): boolean => (receiverKinds as readonly string[]).includes(kind)
