import { riyadhOffset } from '#shared/platform/instant.ts'
import { type Journeys, trackingRecordOf } from './shipping.journey.ts'
import type { LabelRenderer } from './shipping.label.ts'
import { partnerTimeOf } from './shipping.rules.ts'
import { longestLagMs, type ShippingScenario, scenariosIn } from './shipping.scenarios.ts'
import type { ShippingControl } from './shipping.settings.ts'
import type { ShipmentRecord, ShippingState } from './shipping.state.ts'
import { zplLabel } from './shipping.zpl.ts'

/** How long look-ups do not find a shipment of the scenario `not-indexed`. */
const notIndexedMs = 60_000

/** The responses about shipments on the wire, in the forms that scenarios ask for. */
export function createShipmentAnswers({
  state,
  journeys,
  control,
  label,
}: {
  state: ShippingState
  journeys: Journeys
  control: ShippingControl
  label: LabelRenderer
}) {
  function isIndexed(shipment: ShipmentRecord): boolean {
    return state.now() >= shipment.visibleAtMs
  }

  function lagOf(scenarios: ReadonlySet<ShippingScenario>): number {
    if (scenarios.has('not-indexed')) return notIndexedMs
    return control.nextLagMs(scenarios.has('lagging') ? longestLagMs : 0)
  }

  function scenariosOf(request: ShipmentRecord['request']): ReadonlySet<ShippingScenario> {
    const own = scenariosIn(
      request.OrderNumber,
      request.ContentDescription,
      request.ConsigneeAddress.ContactName,
    )
    return new Set([...own, ...control.read().scenarios])
  }

  function findIndexed(number: string): ShipmentRecord | undefined {
    const shipment = state.findByNumber(number)
    return shipment && isIndexed(shipment) ? shipment : undefined
  }

  async function answerOf(shipment: ShipmentRecord, { isFirst }: { isFirst: boolean }): Promise<object> {
    const scenarios = scenariosOf(shipment.request)
    const lacksLastFile = scenarios.has('no-label') || (isFirst && scenarios.has('label-late'))
    const hasNoFile = isFirst && scenarios.has('null-file')
    const waybills: { awb: string | number; awbFile?: string | null }[] = []
    const numberOf = (number: string) => (scenarios.has('numbers') ? Number(number) : number)
    for (const [pieceIndex, awb] of shipment.awbs.entries()) {
      const isLast = pieceIndex === shipment.awbs.length - 1
      if (isLast && lacksLastFile) waybills.push({ awb: numberOf(awb) })
      else if (hasNoFile) waybills.push({ awb: numberOf(awb), awbFile: null })
      else waybills.push({ awb: numberOf(awb), awbFile: await fileOf(shipment, pieceIndex, scenarios) })
    }
    state.countLabels(waybills.filter(({ awbFile }) => typeof awbFile === 'string').length)
    if (scenarios.has('sparse')) return { sawb: null, routeCode: 'R7', waybills }
    return {
      sawb: numberOf(shipment.sawb),
      ...(scenarios.has('no-create-date') ? {} : { createDate: partnerTimeOf(shipment.createdAtMs) }),
      shipmentParcelsCount: shipment.awbs.length,
      waybills,
    }
  }

  async function fileOf(
    shipment: ShipmentRecord,
    pieceIndex: number,
    scenarios: ReadonlySet<ShippingScenario>,
  ): Promise<string> {
    const isZpl = shipment.request.WaybillType === 'ZPL' || scenarios.has('zpl')
    const bytes = isZpl ? Buffer.from(zplLabel(shipment, pieceIndex)) : await label(shipment, pieceIndex)
    return bytes.toString('base64')
  }

  function trackingOf(shipment: ShipmentRecord): object {
    const scenarios = scenariosOf(shipment.request)
    const scans = [...journeys.scansOf(shipment)]
    if (scenarios.has('unknown-scan'))
      scans.push({
        City: shipment.request.ShipperAddress.City,
        ScanType: 'ZZ9',
        ScanDescription: 'Undocumented',
        ScanDateTime: partnerTimeOf(shipment.createdAtMs),
        ScanTimeZone: riyadhOffset,
      })
    return trackingRecordOf(shipment, scans, scenarios)
  }

  return { isIndexed, findIndexed, lagOf, scenariosOf, answerOf, trackingOf }
}
