import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The source of ids, secrets and codes that must be impossible to guess. Tests replace it. */
export interface Random {
  uuid(): string
  bytes(count: number): Buffer
  below(end: number): number
}

export const fractionOf = ({ below }: Random): number => below(2 ** 32) / 2 ** 32

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  bytes: (count) => randomBytes(count),
  below: (end) => randomInt(end),
}
