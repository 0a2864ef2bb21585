import type { Location } from '#shared/orders/orders.schemas.ts'

export interface ShipmentRequest {
  /** The partner does not refuse a second shipment with the same reference. */
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
   * The call is not repeated, because every call creates another shipment.
   * @throws UnreachableError; OutcomeUnknownError; ShipmentRefusal
   */
  create(request: ShipmentRequest): Promise<AirwayBill>
  /**
   * @returns undefined when the partner knows no shipment with the reference
   * @throws UnreachableError; OutcomeUnknownError, also when the waybill of a known reference cannot be read yet
   */
  findByReference(reference: string): Promise<AirwayBill | undefined>
  /** @throws UnreachableError, OutcomeUnknownError */
  fetchLabel(awb: string): Promise<Uint8Array | undefined>
}

/** The partner refused the shipment and created nothing. `fields` are the refused fields, by the partner's names. */
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
