import type { PublicConfig } from '#shared/config/config.api.ts'
import { transitDaysOverall } from '#shared/platform/promises.rules.ts'

/** True when the page shows promises that are examples. */
export const hasExamples = ({ demo, promises }: Pick<PublicConfig, 'demo' | 'promises'>): boolean =>
  demo && (transitDaysOverall(promises) !== undefined || promises.lostSar !== undefined)
