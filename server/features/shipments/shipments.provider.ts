import type { Location } from '#shared/orders/orders.schemas.ts'

export interface ShipmentRequest {
  /** The partner accepts a second shipment with the same reference. */
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
   * The call must not be repeated after an error, because each call creates another shipment.
   * @throws UnreachableError, OutcomeUnknownError, ShipmentRefusal
   */
  create(request: ShipmentRequest): Promise<AirwayBill>
  /**
   * @returns undefined when the partner has no shipment with this reference
   * @throws UnreachableError; OutcomeUnknownError, also when the shipment exists but its airway bill cannot be read yet
   */
  findByReference(reference: string): Promise<AirwayBill | undefined>
  fetchLabel(awb: string): Promise<Uint8Array | undefined>
}

/** The partner refused the shipment and certainly created nothing. `fields` are the partner's names. */
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
