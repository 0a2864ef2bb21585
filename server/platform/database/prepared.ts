import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

type Values = readonly unknown[]

class Parameter {
  readonly valueIn: (given: Values) => unknown
  constructor(valueIn: (given: Values) => unknown) {
    this.valueIn = valueIn
  }
}

const argument = (at: number) =>
  new Proxy(new Parameter((given) => given[at]), {
    get: (whole, name) =>
      Reflect.get(whole, name) ?? new Parameter((given) => Reflect.get(Object(given[at]), name)),
  })

const names = new Map<string, string>()

export const nameOfPrepared = (text: string): string | undefined => names.get(text)

interface Holder {
  readonly database: Database
}

type Build<Given extends Values, Row> = (core: Holder, ...given: Given) => Compilable<Row>

function compiled<Row>(build: () => Compilable<Row>) {
  let query: CompiledQuery<Row> | undefined
  return (given: Values): CompiledQuery<Row> => {
    if (query === undefined) {
      query = build().compile()
      if (!names.has(query.sql)) names.set(query.sql, `p${names.size + 1}`)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? value.valueIn(given) : value,
    )
    return { ...query, parameters }
  }
}

/**
 * Builds a frequent statement once per database, because building takes longer than SQLite's run. `build` gets
 * placeholders, whose values it cannot read.
 */
const once =
  <Given extends Values, Row>(build: Build<Given, Row>) =>
  ({ database }: Holder, given: Given): CompiledQuery<Row> =>
    database.keep(build, () => {
      const placeholders = Array.from({ length: build.length - 1 }, (_, at) => argument(at))
      return compiled(() => build({ database }, ...(placeholders as never)))
    })(given)

export function prepared<Given extends Values, Row>(build: Build<Given, Row>) {
  const query = once(build)
  return async (core: Holder, ...given: Given): Promise<Row[]> =>
    (await core.database.run(query(core, given))).rows
}

export function preparedFirst<Given extends Values, Row>(build: Build<Given, Row>) {
  const query = once(build)
  return async (core: Holder, ...given: Given): Promise<Row | undefined> =>
    (await core.database.run(query(core, given))).rows[0]
}

export function preparedChanges<Given extends Values>(build: Build<Given, unknown>) {
  const query = once(build)
  return async (core: Holder, ...given: Given) =>
    Number((await core.database.run(query(core, given))).numAffectedRows ?? 0)
}

/** The statement must be the last one of its transaction. */
export function preparedLast<Given extends Values, Row>(build: Build<Given, Row>) {
  const query = once(build)
  return async (core: Holder, ...given: Given): Promise<Row | undefined> =>
    (await core.database.last({ compile: () => query(core, given) }))[0]
}

export function preparedToSend<Given extends Values>(build: Build<Given, unknown>) {
  const query = once(build)
  return (core: Holder, ...given: Given): Promise<void> =>
    core.database.send({ compile: () => query(core, given) })
}

export const preparedForEach =
  <Item, Row>(build: Build<[items: readonly Item[]], Row>) =>
  async ({ database }: Holder, items: readonly Item[]): Promise<Row[]> => {
    if (items.length === 0) return []
    const ofLength = database.keep(build, () => new Map<number, ReturnType<typeof compiled<Row>>>())
    const placeholders = () => items.map((_, at) => argument(at) as Item)
    const query = ofLength.get(items.length) ?? compiled(() => build({ database }, placeholders()))
    ofLength.set(items.length, query)
    return (await database.run(query(items))).rows
  }
