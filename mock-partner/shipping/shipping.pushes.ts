import type { Deliveries, Delivery } from '#mock/platform/deliveries.ts'
import type { Scan } from '#shared/wire/shipping/shipping.wire.ts'
import { webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import { type Journeys, trackingRecordOf } from './shipping.journey.ts'
import { referencesOfShipments } from './shipping.references.ts'
import type { ShipmentRecord } from './shipping.state.ts'

/** The outcomes of the push about new scans. */
export const pushModes = ['send', 'lose', 'twice', 'late', 'shuffle', 'forge'] as const
type PushMode = (typeof pushModes)[number]

const lateMs = 30_000

/** Where pushes go, and the key that proves them. */
interface PushTarget {
  readonly url: string
  readonly key: string
}

interface PushesDeps {
  readonly deliveries: Deliveries
  readonly journeys: Journeys
  readonly target: PushTarget | undefined
  /** 0 ≤ random < 1. */
  readonly random: () => number
}

interface PushOptions {
  readonly mode?: PushMode
  /** Before the push goes out. */
  readonly delayMs?: number
}

/**
 * Pushes scans to the gateway. A failed push is not repeated: the courier documents no repetition
 * (docs/wires/tracking.md T11), so a gateway must not depend on one.
 */
export function createPushes({ deliveries, journeys, target, random }: PushesDeps) {
  const groupOf = (awb: string) => `tracking:${awb}`

  function orderOf(shipment: ShipmentRecord, scans: readonly Scan[], mode: PushMode, delayMs: number) {
    const key = mode === 'forge' ? ('wrong-key' as const) : ('valid' as const)
    return {
      service: 'tracking',
      group: groupOf(shipment.awb),
      about: { awb: shipment.awb, mode, scans: scans.map(({ ScanType }) => ScanType).join(' ') },
      url: target?.url ?? '',
      content: {
        body: JSON.stringify([trackingRecordOf(shipment, scans)]),
        headers: { [webhookKeyHeader]: mode === 'forge' ? 'a-forged-webhook-key' : (target?.key ?? '') },
        operation: 'push-scans',
        references: referencesOfShipments([shipment]),
        proof: { key, differences: [] },
      },
      delayMs,
      retries: false,
    }
  }

  return {
    /** Pushes scans of a shipment, oldest first; resolves after the attempts that are made at once. */
    async push(
      shipment: ShipmentRecord,
      scans: readonly Scan[],
      { mode = 'send', delayMs }: PushOptions = {},
    ): Promise<readonly Delivery[]> {
      if (scans.length === 0) return []
      const delay = delayMs ?? (mode === 'late' ? lateMs : 0)
      if (target === undefined || mode === 'lose')
        return [deliveries.lose(orderOf(shipment, scans, 'lose', 0))]
      const bodies = {
        send: () => [scans],
        forge: () => [scans],
        late: () => [scans],
        twice: () => [scans, scans],
        // One scan alone has no order: the bag's whole past is sent again, each scan by itself.
        shuffle: () =>
          shuffled(scans.length > 1 ? scans : journeys.scansOf(shipment), random).map((scan) => [scan]),
      }[mode]()
      const sent = bodies.map((body) => deliveries.send(orderOf(shipment, body, mode, delay)))
      await Promise.all(sent.map(({ attempted }) => attempted))
      return sent.map(({ delivery }) => delivery)
    },
    /** Newest first. */
    listOf: ({ awb }: ShipmentRecord): readonly Delivery[] => deliveries.listOf(groupOf(awb)),
  }
}
export type Pushes = ReturnType<typeof createPushes>

/** Another order than the given one, where there is one. */
function shuffled<T>(things: readonly T[], random: () => number): T[] {
  const left = [...things]
  const taken: T[] = []
  while (left.length > 0) taken.push(...left.splice(Math.floor(random() * left.length), 1))
  return taken.every((thing, index) => thing === things[index]) ? taken.reverse() : taken
}
