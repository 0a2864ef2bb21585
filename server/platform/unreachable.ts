/** No complete answer came. When `doubtful`, the other side may have done the work all the same. */
export class Unreachable extends Error {
  readonly doubtful: boolean
  constructor(message: string, doubtful: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'Unreachable'
    this.doubtful = doubtful
  }
}
