/** The mail server's answer to a letter by the beginning of its address; any other letter is accepted. */
export const mailScenarios = {
  'refused@': { kind: 'refuse', status: 550, text: '5.1.1 The mailbox does not exist' },
  'full@': { kind: 'refuse', status: 552, text: '5.2.2 The mailbox is full' },
  'blocked@': { kind: 'refuse', status: 550, text: '5.7.1 Relaying denied' },
  'busy@': { kind: 'refuse', status: 451, text: '4.7.0 Try again later' },
  /** The letter is taken, and the connection ends without an answer. */
  'silent@': { kind: 'silent' },
} as const satisfies Readonly<Record<`${string}@`, MailScenario>>

export type MailScenario =
  | { readonly kind: 'refuse'; readonly status: number; readonly text: string }
  | { readonly kind: 'silent' }

export const mailScenarioOf = (address: string): MailScenario | undefined =>
  Object.entries(mailScenarios).find(([beginning]) => address.startsWith(beginning))?.[1]
