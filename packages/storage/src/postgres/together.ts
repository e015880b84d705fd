import { type Connection, Query } from 'pg'
import { prepareValue } from 'pg/lib/utils'
import { parserOf } from './value-types.ts'

/** The result of a statement. */
export interface Outcome {
  readonly rows: Record<string, unknown>[]
  /** The server's command tag, such as `INSERT 0 1`. */
  readonly tag: string
}

/** How the columns of a statement are parsed; text is used unchanged. */
interface Column {
  readonly name: string
  readonly parse: ((text: string) => unknown) | undefined
}

/** A statement that a connection caches once it was answered for the first time. */
interface CachedStatement {
  readonly name: string
  columns: readonly Column[]
  /**
   * A row with all of the columns, from which the others are copied: they get their shape at once, not column by
   * column.
   */
  form: Readonly<Record<string, unknown>>
  /** Whether the server has it; `maybe` after a failure in between. */
  state: 'new' | 'sent' | 'there' | 'maybe'
}

/** The statements that a connection caches, by their text. */
export class KeptStatements {
  readonly #kept = new Map<string, CachedStatement>()

  of(text: string): CachedStatement {
    const cached = this.#kept.get(text)
    if (cached !== undefined) return cached
    const statement: CachedStatement = { name: `s${this.#kept.size}`, columns: [], form: {}, state: 'new' }
    this.#kept.set(text, statement)
    return statement
  }
}

/** A statement in flight. */
interface StatementInFlight {
  readonly statement: CachedStatement
  readonly rows: Record<string, unknown>[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

/** The server's answers, as `pg` passes them to the current query. */
interface AnswerHandlers {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** When a batch is sent: at the end of the current microtasks, at the end of the turn of the event loop, or at once. */
export type Departure = 'soon' | 'later' | 'now'

const departures: Readonly<Record<Departure, (send: () => void) => unknown>> = {
  soon: process.nextTick,
  later: setImmediate,
  now: send => send(),
}

/**
 * Statements that are sent together, without waiting for each other's answers; rows of a cached statement are not
 * described again. Without BEGIN they are one transaction. After a failure none of them runs, and all fail for the same
 * reason. It ends when it is sent, so that the server never waits within it, however slow its client is.
 *
 * For `pg` it is a single query, and handles answers like `pg-cursor`.
 */
export class Together extends Query {
  readonly #kept: KeptStatements
  readonly #departure: Departure
  readonly #onFailure: (error: Error) => void
  readonly #running: StatementInFlight[] = []
  #connection: Connection | undefined
  #isGathering = false
  #isSent = false

  constructor(statements: KeptStatements, departure: Departure, onFailure: (error: Error) => void) {
    super('')
    this.#kept = statements
    this.#departure = departure
    this.#onFailure = onFailure
  }

  /** Whether it has been sent, so that nothing can be added. */
  get isSent(): boolean {
    return this.#isSent
  }

  /** How many statements are not answered yet. */
  get unanswered(): number {
    return this.#running.length
  }

  /**
   * Adds a statement.
   * @param isKept whether the connection caches it
   */
  run(text: string, parameters: readonly unknown[], isKept: boolean): Promise<Outcome> {
    const values = parameters.map(wireOf)
    const statement: CachedStatement = isKept ? this.#kept.of(text) : { name: '', columns: [], form: {}, state: 'new' }
    return new Promise((resolve, reject) => {
      this.#running.push({ statement, rows: [], resolve, reject })
      // A lost connection accepts nothing more, and fails what is pending.
      if (this.#connection !== undefined) this.#send(this.#connection, statement, text, values)
    })
  }

  /** Closes the batch, before somebody else gets the connection. */
  complete(): void {
    if (this.#isSent || !this.#isGathering) return
    this.#isSent = true
    this.#connection!.sync()
  }

  /** Called by `pg`, which passes the connection at once. */
  override submit = (connection: Connection): void => {
    this.#connection = connection
  }

  handleRowDescription({ fields }: AnswerHandlers): void {
    const { statement } = this.#running[0]!
    statement.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
    statement.form = Object.fromEntries(fields.map(({ name }) => [name, null]))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { statement, rows } = this.#running[0]!
    const row: Record<string, unknown> = { ...statement.form }
    for (let index = 0; index < fields.length; index++) {
      const { name, parse } = statement.columns[index]!
      const text = fields[index]!
      row[name] = text === null || parse === undefined ? text : parse(text)
    }
    rows.push(row)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { statement, rows, resolve } = this.#running.shift()!
    statement.state = 'there'
    resolve({ rows, tag: text })
  }

  handleError(error: Error): void {
    this.#isSent = true
    this.#onFailure(error)
    for (const { statement, reject } of this.#running.splice(0)) {
      if (statement.state === 'sent') statement.state = 'maybe'
      reject(error)
    }
  }

  handleReadyForQuery(): void {}

  #send(connection: Connection, statement: CachedStatement, text: string, values: (string | Buffer | null)[]): void {
    const { stream } = connection
    const isFirst = !this.#isGathering
    if (isFirst) stream.cork()
    this.#isGathering = true
    const { name, state } = statement
    if (state === 'maybe') connection.close({ type: 'S', name }, true)
    if (state === 'new' || state === 'maybe') {
      connection.parse({ name, text, types: [] }, true)
      connection.describe({ type: 'S', name }, true)
      statement.state = 'sent'
    }
    connection.bind({ statement: name, values }, true)
    connection.execute(null, true)
    if (!isFirst) return
    departures[this.#departure](() => {
      this.complete()
      stream.uncork()
    })
  }
}

const wireOf = (value: unknown): string | Buffer | null => (typeof value === 'string' ? value : prepareValue(value))
