import { forEachEngine } from '#test/kit/databases.ts'
import { staffStoreContract } from './staff.store.contract.ts'

forEachEngine(staffStoreContract)
