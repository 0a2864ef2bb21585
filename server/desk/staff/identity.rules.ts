/**
 * `away`: the provider gives no usable response. `expired`: the code of the sign-in is no longer valid. `refused`: the
 * response does not prove that the provider made it now, for us.
 */
export type IdentityFault = 'away' | 'expired' | 'refused'

export class IdentityProblem extends Error {
  readonly fault: IdentityFault
  constructor(fault: IdentityFault, options?: ErrorOptions) {
    super(`the sign-in at the identity provider is ${fault}`, options)
    this.name = 'IdentityProblem'
    this.fault = fault
  }

  /** The reason for the log, which omits claims, tokens and responses. */
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
