import { forEachEngine } from '#test/kit/databases.ts'
import { partnerStoreLaws } from './partner.store.contract.ts'

forEachEngine(partnerStoreLaws)
