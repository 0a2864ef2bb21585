import { createPrivateKey } from 'node:crypto'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import type { WalletAccount } from './config-parsers.ts'

export function demoWalletAccount(): WalletAccount {
  const { clientEmail: email, privateKey } = demoAccounts.wallet
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  return { email, key }
}
