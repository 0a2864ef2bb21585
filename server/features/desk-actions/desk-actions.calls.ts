import { legacyCall } from '#server/legacy.ts'
import type { DeskActionsService } from './desk-actions.service.ts'

export const askWithoutOrder = legacyCall<DeskActionsService, 'askWithoutOrder'>(
  'deskActions',
  'askWithoutOrder',
)
export const eraseNumberOfApprovals = legacyCall<DeskActionsService, 'eraseNumber'>(
  'deskActions',
  'eraseNumber',
)
export const eraseApprovals = legacyCall<DeskActionsService, 'erasePayloads'>('deskActions', 'erasePayloads')
export const findAsked = legacyCall<DeskActionsService, 'findAsked'>('deskActions', 'findAsked')
export const listNotes = legacyCall<DeskActionsService, 'listNotes'>('deskActions', 'listNotes')
export const actOrAsk = legacyCall<DeskActionsService, 'moveFor'>('deskActions', 'moveFor')
export const readSoloLimit = legacyCall<DeskActionsService, 'readAlone'>('deskActions', 'readAlone')
