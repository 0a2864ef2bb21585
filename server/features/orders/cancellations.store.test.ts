import { forEachEngine } from '#test/kit/databases.ts'
import { cancellationsStoreContract } from './cancellations.store.contract.ts'

forEachEngine(cancellationsStoreContract)
