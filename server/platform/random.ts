import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The source of ids, secrets and codes, which must not be guessed. Tests replace it. */
export interface Random {
  uuid(): string
  bytes(count: number): Buffer
  /** A whole number from 0 to `end`, without `end`. */
  below(end: number): number
}

/** At least 0 and less than 1: for delays that differ. */
export const fractionOf = ({ below }: Random): number => below(2 ** 32) / 2 ** 32

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  below: (end) => randomInt(end),
}
