import type { Compilable } from 'kysely'
import type { Database } from './database.ts'

class Parameter {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/**
 * A query that is built and compiled once, for queries of every request: building one takes longer than SQLite takes to run
 * it. `build` gets a placeholder for a parameter by its name, and may use it more than once.
 */
export function prepared<P extends object, Row>(
  database: Database,
  build: (parameter: <K extends keyof P>(name: K) => P[K]) => Compilable<Row>,
): (parameters: P) => Promise<Row[]> {
  let query: ReturnType<Compilable<Row>['compile']> | undefined
  return async (parameters) => {
    query ??= build((name) => new Parameter(name) as never).compile()
    const values = query.parameters.map((value) =>
      value instanceof Parameter ? parameters[value.name as keyof P] : value,
    )
    const { rows } = await database.run<Row>({ ...query, parameters: values })
    return rows
  }
}
