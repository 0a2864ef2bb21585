import { forEachEngine } from '#test/kit/databases.ts'
import { paymentsStoreLaws } from './payments.store.contract.ts'

forEachEngine(paymentsStoreLaws)
