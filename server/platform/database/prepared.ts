import type { Compilable, QueryResult } from 'kysely'
import type { Database } from './database.ts'

class Parameter {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

type Placeholder<P> = <K extends keyof P>(name: K) => P[K]

const names = new Map<string, string>()

/** Undefined for a statement that is not prepared. */
export const nameOfPrepared = (text: string): string | undefined => names.get(text)

/**
 * Building a frequent statement takes longer than SQLite takes to run it. PostgreSQL parses and plans it once per
 * connection. `build` gets a placeholder for each parameter by its name.
 */
function compiled<P extends object, Row>(
  database: Database,
  build: (parameter: Placeholder<P>) => Compilable<Row>,
): (parameters: P) => Promise<QueryResult<Row>> {
  let query: ReturnType<Compilable<Row>['compile']> | undefined
  return (parameters) => {
    if (query === undefined) {
      query = build((name) => new Parameter(name) as never).compile()
      if (!names.has(query.sql)) names.set(query.sql, `p${names.size + 1}`)
    }
    const values = query.parameters.map((value) =>
      value instanceof Parameter ? parameters[value.name as keyof P] : value,
    )
    return database.run<Row>({ ...query, parameters: values })
  }
}

export function prepared<P extends object, Row>(
  database: Database,
  build: (parameter: Placeholder<P>) => Compilable<Row>,
): (parameters: P) => Promise<Row[]> {
  const run = compiled(database, build)
  return async (parameters) => (await run(parameters)).rows
}

export function preparedFirst<P extends object, Row>(
  database: Database,
  build: (parameter: Placeholder<P>) => Compilable<Row>,
): (parameters: P) => Promise<Row | undefined> {
  const run = compiled(database, build)
  return async (parameters) => (await run(parameters)).rows[0]
}

export function preparedChanges<P extends object>(
  database: Database,
  build: (parameter: Placeholder<P>) => Compilable,
): (parameters: P) => Promise<number> {
  const run = compiled<P, unknown>(database, build)
  return async (parameters) => Number((await run(parameters)).numAffectedRows ?? 0)
}

/** Each database compiles the statement once. @param prepare returns one of the statements of this file */
export const perDatabase =
  <Given, Result>(prepare: (database: Database) => (given: Given) => Result) =>
  (database: Database, given: Given): Result =>
    database.keep(prepare, () => prepare(database))(given)

export function preparedForEach<Item, Row>(
  database: Database,
  build: (items: readonly Item[]) => Compilable<Row>,
): (items: readonly Item[]) => Promise<Row[]> {
  const ofLength = new Map<number, (items: Record<number, Item>) => Promise<Row[]>>()
  return async (items) => {
    if (items.length === 0) return []
    let run = ofLength.get(items.length)
    if (run === undefined) {
      const { length } = items
      run = prepared<Record<number, Item>, Row>(database, (parameter) =>
        build(Array.from({ length }, (_, index) => parameter(index))),
      )
      ofLength.set(length, run)
    }
    return run(items)
  }
}
