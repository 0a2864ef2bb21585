import type { Place } from '#shared/orders/orders.schemas.ts'

export interface ShipmentRequest {
  /** What the shipment is known by; the partner does not refuse a second one under the same reference. */
  readonly reference: string
  readonly orderId: number
  /** Where the receiver collects; undefined when the bag goes to an agent. */
  readonly branchCode: string | undefined
  readonly origin: Place
  readonly destination: Place
  readonly customer: { readonly name: string; readonly phone: string }
  readonly weightKg: number
  /** Epoch milliseconds. */
  readonly shipAt: number
}

export interface AirwayBill {
  readonly awb: string
  /** The label; undefined when the partner sent none that is a PDF. */
  readonly pdf: Uint8Array | undefined
}

/** The shipping partner, as the shipment worker needs it. */
export interface ShipmentGateway {
  /**
   * Makes a shipment, never repeated here: every call makes another one.
   * @throws Unreachable; `ShipmentDoubt` when it may have been made all the same; `ShipmentRefusal` when it was not.
   */
  create(request: ShipmentRequest): Promise<AirwayBill>
  /**
   * The airway bill made under a reference; undefined when the partner knows none.
   * @throws Unreachable; ShipmentDoubt, also when the reference is known and its waybill is not to be had yet.
   */
  findByReference(reference: string): Promise<AirwayBill | undefined>
  /** The label of an airway bill; undefined while the partner has none. @throws Unreachable, ShipmentDoubt. */
  fetchLabel(awb: string): Promise<Uint8Array | undefined>
}

/** The answer does not say whether the shipment exists. */
export class ShipmentDoubt extends Error {
  readonly status: number
  constructor(what: string, status: number) {
    super(`the shipping partner answered ${status} to ${what}`)
    this.name = 'ShipmentDoubt'
    this.status = status
  }
}

/** The partner said no and made nothing. `fields` are its own names of what it did not like. */
export class ShipmentRefusal extends Error {
  readonly fields: readonly string[]
  constructor(status: number, fields: readonly string[]) {
    super(`the shipping partner refused the shipment with ${status}: ${fields.join(', ')}`)
    this.name = 'ShipmentRefusal'
    this.fields = fields
  }
}
