import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { askWithoutOrder, findAsked, readSoloLimit } from './desk-actions.calls.ts'

export type DeskActionsService = ReturnType<typeof createDeskActions>

/** The functions of `server/desk/actions` as a service, for features that are not rebuilt yet. */
export const createDeskActions = (core: Core) =>
  bindTo(core, { askWithoutOrder, findAsked, readAlone: readSoloLimit })
