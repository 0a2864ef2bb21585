import type { Core } from '#server/core.ts'
import { findBagsByNumbers } from '#server/features/orders/bags.queries.ts'
import { failure } from '#server/platform/errors.ts'
import { isSameSecret } from '#server/platform/secrets.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { trackingErrors } from '#shared/tracking/tracking.errors.ts'
import { recordScans } from './scans.ts'
import type { TrackedShipment } from './tracking.provider.ts'

type PushOutcome = 'recorded' | 'repeated' | 'empty' | 'foreign' | 'unreadable' | 'refused' | 'oversized'

/** The courier documents no maximum. Polls find the scans of a larger push. */
export const mostRecords = 500

export const countPush = ({ counters }: Core, outcome: PushOutcome, times = 1): void =>
  counters.trackingPushes.inc({ outcome }, times)

/** Compares the key in constant time. @throws Failure TRACKING_CALLBACK_REFUSED */
export function checkPushKey(core: Core, given: string | readonly string[] | undefined): void {
  const key = keyOf(core, given)
  if (key) {
    core.counters.trackingPushesProven.inc({ key })
    if (key === 'previous') core.log.info({ event: 'tracking.push-previous-key' })
    return
  }
  countPush(core, 'refused')
  core.log.warn({ event: 'tracking.push-refused' })
  throw failure(trackingErrors, 'TRACKING_CALLBACK_REFUSED')
}

function keyOf(
  { config }: Core,
  given: string | readonly string[] | undefined,
): 'current' | 'previous' | undefined {
  if (typeof given !== 'string') return undefined
  const { SHIPPING_WEBHOOK_KEY: current, SHIPPING_WEBHOOK_KEY_PREVIOUS: previous } = config
  if (isSameSecret(given, current)) return 'current'
  return previous !== undefined && isSameSecret(given, previous) ? 'previous' : undefined
}

/**
 * Stores every readable scan. Unknown airway bill numbers are accepted, because the courier sends a refused push again.
 * @throws Failure INVALID_REQUEST for a body that is not a report, BODY_TOO_LARGE
 */
export async function receivePush(core: Core, body: unknown): Promise<void> {
  const report = core.providers.tracking.readPush(body)
  if (!report) {
    countPush(core, 'unreadable')
    core.log.warn({ event: 'tracking.push-unreadable' })
    throw failure(platformErrors, 'INVALID_REQUEST')
  }
  const { shipments, unreadable } = report
  if (shipments.length > mostRecords) {
    countPush(core, 'oversized')
    throw failure(platformErrors, 'BODY_TOO_LARGE')
  }
  if (unreadable > 0) {
    countPush(core, 'unreadable', unreadable)
    core.log.warn({ event: 'tracking.rows-unreadable', rows: unreadable })
  }
  const bags = await findBagsOf(core, shipments)
  for (const shipment of shipments) countPush(core, await recordShipment(core, shipment, bags))
}

async function findBagsOf(core: Core, shipments: readonly TrackedShipment[]) {
  const awbs = shipments.map(({ awb }) => awb)
  const references = shipments.flatMap(({ reference }) => reference ?? [])
  const bags = await findBagsByNumbers(core, [...new Set(awbs)], [...new Set(references)])
  return {
    byAwb: new Map(bags.map((bag) => [bag.awb, bag])),
    byReference: new Map(bags.map((bag) => [bag.reference, bag])),
  }
}

async function recordShipment(
  core: Core,
  { awb, reference, scans }: TrackedShipment,
  bags: Awaited<ReturnType<typeof findBagsOf>>,
): Promise<PushOutcome> {
  const byAwb = bags.byAwb.get(awb)
  const byReference = reference === undefined ? undefined : bags.byReference.get(reference)
  const bag = byAwb ?? byReference
  // A record with the airway bill of one bag and the reference of another belongs to neither.
  if (!bag || (byAwb && byReference && byAwb.id !== byReference.id)) return 'foreign'
  if (scans.length === 0) return 'empty'
  const { added, foreign } = await recordScans(core, bag, scans, 'push')
  if (added > 0) return 'recorded'
  return foreign === scans.length ? 'foreign' : 'repeated'
}
