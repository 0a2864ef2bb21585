/**
 * Why a sign-in failed. `away`: the provider gives no usable answer. `expired`: the attempt is over, such as a code that was
 * used. `refused`: the answer is not proven to come from the provider, for us, now.
 */
export type IdentityFault = 'away' | 'expired' | 'refused'

export class IdentityProblem extends Error {
  readonly fault: IdentityFault
  constructor(fault: IdentityFault, options?: ErrorOptions) {
    super(`the sign-in at the identity provider is ${fault}`, options)
    this.name = 'IdentityProblem'
    this.fault = fault
  }

  /** For the log: only codes and messages. The causes hold claims, tokens and answers of the provider. */
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
