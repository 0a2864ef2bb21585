import type { Core } from '#server/core.ts'
import { freeWorkOf, takeForAct } from '#server/desk/work/work.ts'
import { bindTo } from '#server/legacy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'

export type { ActWish } from '#server/desk/work/work.ts'

export type WorkService = ReturnType<typeof createWork>

/** The functions of `server/desk/work` as a service, for features that are not functions yet. */
export const createWork = (parts: { readonly database: Database; readonly clock: Clock }) =>
  bindTo(parts as Core, { act: takeForAct, free: freeWorkOf })
