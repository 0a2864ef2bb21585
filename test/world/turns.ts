import { never, type Program } from './reality.ts'

/** A statement that waits to be drawn. */
export interface Turn {
  readonly program: Program
  /** The connection on which it runs; undefined for what is no statement. */
  readonly connection: object | undefined
  readonly go: () => void
}

/** Statements of all gateways wait here, each until the world draws it. A program that has ended runs none. */
export interface Turns {
  /** Resolves when the statement may run. */
  take(program: Program, connection?: object): Promise<void>
  isWaiting(program: Program): boolean
  /** How many statements could run now. */
  ready(): number
  /** Lets one of them run. */
  run(index: number): Program
  /** Forgets what the program waits for. */
  drop(program: Program): void
}

/** @param canRun false for a statement that has to wait for another connection */
export function createTurns(canRun: (turn: Turn) => boolean): Turns {
  let turns: Turn[] = []
  /** Statements of one connection run in the order in which they were called. */
  const isFirst = (turn: Turn) =>
    turn.connection === undefined || turns.find(({ connection }) => connection === turn.connection) === turn
  const listReady = () => turns.filter((turn) => isFirst(turn) && canRun(turn))
  return {
    async take(program, connection) {
      if (program.isUp)
        await new Promise<void>((go) => {
          turns.push({ program, connection, go })
        })
      // It may have ended just when its turn came.
      if (!program.isUp) await never()
    },
    isWaiting: (program) => turns.some((turn) => turn.program === program),
    ready: () => listReady().length,
    run(index) {
      const drawn = listReady()[index]
      if (drawn === undefined) throw new Error('no statement waits')
      turns = turns.filter((one) => one !== drawn)
      drawn.go()
      return drawn.program
    },
    drop(program) {
      turns = turns.filter((one) => one.program !== program)
    },
  }
}

/** What a statement answers to a program that has ended meanwhile never arrives. */
export const stillUp = <T>(program: Program, answer: T): T | Promise<T> =>
  program.isUp ? answer : never<T>()
