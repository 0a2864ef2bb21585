import type { Location } from '#shared/orders/orders.schemas.ts'

export interface ShipmentRequest {
  /** Key of the shipment; the partner does not refuse a second one under the same reference. */
  readonly reference: string
  readonly orderId: number
  /** Branch where the receiver collects; undefined when the bag goes to an agent. */
  readonly branchCode: string | undefined
  readonly origin: Location
  readonly destination: Location
  /** Who collects the bag. `name` as it is shown; the map fits it into the partner's bounds. */
  readonly consignee: { readonly name: string; readonly phone: string; readonly secondPhone: string | null }
  /** Of the sender, where the place where the bag starts has no phone. */
  readonly ownerPhone: string
  readonly weightKg: number
  /** Epoch milliseconds. */
  readonly shipAt: number
}

export interface AirwayBill {
  readonly awb: string
  /** The label; undefined when the partner sent no PDF. */
  readonly pdf: Uint8Array | undefined
}

/** The shipping partner, as the shipment worker needs it. */
export interface ShipmentProvider {
  /**
   * Creates a shipment; without retries, because every call creates another one.
   * @throws UnreachableError; OutcomeUnknownError; ShipmentRefusal.
   */
  create(request: ShipmentRequest): Promise<AirwayBill>
  /**
   * The airway bill created under a reference; undefined when the partner knows none.
   * @throws UnreachableError; OutcomeUnknownError, also when the reference is known but its waybill cannot be read yet.
   */
  findByReference(reference: string): Promise<AirwayBill | undefined>
  /** The label of an airway bill; undefined while the partner has none. @throws UnreachableError, OutcomeUnknownError. */
  fetchLabel(awb: string): Promise<Uint8Array | undefined>
}

/** The partner refused and created nothing. `fields`: the refused fields by the partner's names. */
export class ShipmentRefusal extends Error {
  readonly fields: readonly string[]
  constructor(status: number, fields: readonly string[]) {
    super(
      `the shipping partner refused the shipment with ${status}: ${fields.join(', ') || 'no field named'}`,
    )
    this.name = 'ShipmentRefusal'
    this.fields = fields
  }
}
