import { forEachEngine } from '#test/kit/databases.ts'
import { approvalsStoreContract } from './approvals.store.contract.ts'

forEachEngine(approvalsStoreContract)
