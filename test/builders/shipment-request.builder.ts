import { agents, offices } from '#mock/shipping/shipping.directory.ts'
import type { CreateB2cRequest } from '#shared/wire/shipping/shipping.wire.ts'

type Parts = Partial<Omit<CreateB2cRequest, 'ConsigneeAddress' | 'ShipperAddress'>> & {
  ConsigneeAddress?: Partial<CreateB2cRequest['ConsigneeAddress']>
  ShipperAddress?: Partial<CreateB2cRequest['ShipperAddress']>
}

/** A create request the partner accepts, from the first agent to the first branch; for tests. */
export function createRequest(parts: Parts = {}): CreateB2cRequest {
  const [agent] = agents
  const [office] = offices
  if (!agent || !office) throw new Error('the directory is empty')
  return {
    OrderNumber: 'OD-42-1',
    ContentDescription: 'Pilgrim luggage',
    DeclaredValue: 50,
    CODAmount: 0,
    Parcels: 1,
    ShipDate: '2027-05-18T15:30:00',
    ShipmentCurrency: 'SAR',
    Weight: 15,
    WeightUnit: 'KG',
    SMSARetailID: office.code,
    ...parts,
    ShipperAddress: {
      ContactName: agent.name,
      ContactPhoneNumber: agent.phone,
      Country: 'SA',
      City: agent.city,
      AddressLine1: agent.address,
      ...parts.ShipperAddress,
    },
    ConsigneeAddress: {
      ContactName: 'عبدالرحمن العتيبي',
      ContactPhoneNumber: '+966501234567',
      Country: 'SA',
      City: office.cityName,
      AddressLine1: office.address,
      AddressLine2: office.addressAR,
      ...parts.ConsigneeAddress,
    },
  }
}
