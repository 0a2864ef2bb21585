import { forEachEngine } from '#test/kit/databases.ts'
import { claimsStoreContract } from './claims.store.contract.ts'

forEachEngine(claimsStoreContract)
