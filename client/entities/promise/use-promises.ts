import { useLoadedConfig } from '#client/entities/config/use-config.ts'
import { useNow } from '#client/platform/time.ts'
import { presentPromises } from '#shared/platform/promises.rules.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'

const checkEveryMs = 60_000

/** The configured promises that still hold: a page that stays open past the last day for handing in no longer names it. */
export const usePromises = (): Promises => presentPromises(useLoadedConfig().promises, useNow(checkEveryMs))
