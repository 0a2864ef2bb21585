import { forEachEngine } from '#test/kit/databases.ts'
import { auditStoreContract } from './audit.store.contract.ts'

forEachEngine(auditStoreContract)
