import pg from 'pg'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly name?: string | undefined
}

export interface Answer {
  readonly command: string | null
  readonly rowCount: number | null
  readonly rows: readonly Record<string, unknown>[]
}

interface Builder extends Answer {
  addFields(fields: readonly object[]): void
  parseRow(fields: readonly unknown[]): Record<string, unknown>
  addRow(row: Record<string, unknown>): void
  addCommandComplete(message: object): void
}

const { Result, utils } = pg as unknown as {
  readonly Result: new (rowMode: undefined, types: object | undefined) => Builder
  readonly utils: { prepareValue(value: unknown): Buffer | string | null }
}

interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Readonly<Record<string, string>>
  parse(statement: { readonly text: string; readonly name: string | undefined }): void
  bind(values: { readonly statement: string | undefined; readonly values: readonly unknown[] }): void
  describe(portal: { readonly type: 'P'; readonly name: '' }): void
  execute(portal: object): void
  sync(): void
}

/**
 * The server skips the statements after one that fails:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Flight {
  readonly #statements: readonly Statement[]
  readonly #values: readonly (readonly (Buffer | string | null)[])[]
  readonly #types: object
  readonly #outcome = Promise.withResolvers<readonly Answer[]>()
  readonly #answers: Builder[]
  #fault: unknown
  #done = 0

  constructor(statements: readonly Statement[], types: object) {
    this.#statements = statements
    this.#values = statements.map(({ values }) => values.map(utils.prepareValue))
    this.#types = types
    this.#answers = statements.map(() => new Result(undefined, types))
  }

  get outcome(): Promise<readonly Answer[]> {
    return this.#outcome.promise
  }

  get texts(): readonly string[] {
    return this.#statements.map(({ text }) => text)
  }

  get name(): string | undefined {
    return this.#statements[this.#done]?.name
  }

  get text(): string | undefined {
    return this.#statements[this.#done]?.text
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    const parsed = new Set(Object.keys(wire.parsedStatements))
    wire.stream.cork()
    for (const [index, { text, name }] of this.#statements.entries()) {
      if (name === undefined || !parsed.has(name)) wire.parse({ text, name })
      if (name !== undefined) parsed.add(name)
      wire.bind({ statement: name, values: this.#values[index] ?? [] })
      wire.describe({ type: 'P', name: '' })
      wire.execute({})
    }
    wire.sync()
    wire.stream.uncork()
  }

  get #answer(): Builder {
    return this.#answers[this.#done] ?? new Result(undefined, this.#types)
  }

  handleRowDescription({ fields }: { readonly fields: readonly object[] }): void {
    this.#answer.addFields(fields)
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    try {
      this.#answer.addRow(this.#answer.parseRow(fields))
    } catch (error) {
      this.#fault ??= error
    }
  }

  handleCommandComplete(message: object): void {
    this.#answer.addCommandComplete(message)
    this.#done += 1
  }

  handleEmptyQuery(): void {
    this.#done += 1
  }

  handleError(error: unknown): void {
    this.#outcome.reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.#outcome.resolve(this.#answers)
    else this.#outcome.reject(this.#fault)
  }
}
