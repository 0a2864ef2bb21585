/**
 * `away`: the provider gives no usable answer. `expired`: the code of the sign-in is no longer valid. `refused`: the
 * answer does not prove that it comes from the provider, for us, now.
 */
export type IdentityFault = 'away' | 'expired' | 'refused'

export class IdentityProblem extends Error {
  readonly fault: IdentityFault
  constructor(fault: IdentityFault, options?: ErrorOptions) {
    super(`the sign-in at the identity provider is ${fault}`, options)
    this.name = 'IdentityProblem'
    this.fault = fault
  }

  /** Returns the messages of the causes for the log, without the claims, tokens and answers in these causes. */
  get reason(): string {
    const said: string[] = []
    for (
      let each = this.cause;
      each !== undefined && each !== null;
      each = (each as { cause?: unknown }).cause
    ) {
      if (!(each instanceof Error)) break
      const { code } = each as { code?: unknown }
      said.push(`${typeof code === 'string' ? code : each.name}: ${each.message}`)
    }
    return said.join(' <- ')
  }
}
