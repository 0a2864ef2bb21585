import { forEachEngine } from '#test/kit/databases.ts'
import { partnerStoreContract } from './partner.store.contract.ts'

forEachEngine(partnerStoreContract)
