import type { Location } from '#shared/orders/orders.schemas.ts'

export interface ShipmentRequest {
  /** Key of the shipment. The partner does not refuse a second one with the same reference. */
  readonly reference: string
  readonly orderId: number
  readonly branchCode: string | undefined
  readonly origin: Location
  readonly destination: Location
  readonly consignee: { readonly name: string; readonly phone: string; readonly secondPhone: string | null }
  readonly ownerPhone: string
  readonly weightKg: number
  readonly shipAt: number
}

export interface AirwayBill {
  readonly awb: string
  readonly pdf: Uint8Array | undefined
}

export interface ShipmentProvider {
  /**
   * Creates a shipment, without retries, because every call creates another one.
   * @throws UnreachableError; OutcomeUnknownError; ShipmentRefusal
   */
  create(request: ShipmentRequest): Promise<AirwayBill>
  /**
   * The airway bill of a reference; undefined when the partner knows none.
   * @throws UnreachableError; OutcomeUnknownError, also when the reference is known but its waybill cannot be
   * read yet
   */
  findByReference(reference: string): Promise<AirwayBill | undefined>
  /** @throws UnreachableError, OutcomeUnknownError */
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
