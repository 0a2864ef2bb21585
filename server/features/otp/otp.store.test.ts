import { forEachEngine } from '#test/kit/databases.ts'
import { otpStoreContract } from './otp.store.contract.ts'

forEachEngine(otpStoreContract)
