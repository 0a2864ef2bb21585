import { forEachEngine } from '#test/kit/databases.ts'
import { deskActionsStoreContract } from './desk-actions.store.contract.ts'

forEachEngine(deskActionsStoreContract)
