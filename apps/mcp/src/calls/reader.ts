import { type OperationName, type Operations, operationByName } from '@specboard/contract'
import { type Answer, type Caller, type Context, DomainError, heldCards, type Service } from '@specboard/domain'
import type { z } from 'zod'
import { type Arguments, readArguments } from './read-arguments.ts'

/** The body of an operation's answer. */
export type BodyOf<Name extends OperationName> = Operations[Name] extends { readonly list: infer L extends z.ZodType }
  ? readonly z.output<L>[]
  : Operations[Name] extends { readonly response: infer R extends z.ZodType }
    ? z.output<R>
    : undefined

/** A move that a record can make from its current status. */
export type Move = BodyOf<'get_allowed_moves'>['moves'][number]

type MovedType = BodyOf<'get_allowed_moves'>['entity_type']

/** The part of the service that reads records. */
type ReadingService = Pick<Service, 'perform' | 'read' | 'idOf'>

/** Reads records through the operations, which check access. */
export class Reader {
  readonly service: ReadingService
  readonly caller: Caller
  readonly #within: string | undefined

  /** @param within the one board that may be read */
  constructor(service: ReadingService, caller: Caller, within: string | undefined) {
    this.service = service
    this.caller = caller
    this.#within = within
  }

  /**
   * The answer of an operation to flattened arguments.
   * @throws DomainError as the operation does
   */
  async answer(name: OperationName, args: Arguments): Promise<Answer> {
    const operation = operationByName.get(name)!
    const read = readArguments(operation, args)
    if (!read.ok) throw new TypeError(`Arguments of ${name}: ${JSON.stringify(read.items)}`)
    return this.service.perform({
      operation,
      input: read.input,
      caller: this.caller,
      within: this.#within,
      origin: 'mcp',
    })
  }

  /**
   * The body of an answer.
   * @throws DomainError as the operation does
   */
  async body<Name extends OperationName>(name: Name, args: Arguments): Promise<BodyOf<Name>> {
    return (await this.answer(name, args)).body as BodyOf<Name>
  }

  /** The body of an answer; undefined when the record does not exist or the caller may not read it. */
  async optional<Name extends OperationName>(name: Name, args: Arguments): Promise<BodyOf<Name> | undefined> {
    try {
      return await this.body(name, args)
    } catch (error) {
      if (error instanceof DomainError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND')) return undefined
      throw error
    }
  }

  /** Reads data for a page directly, about nothing but what the operations have already shown. */
  read<Value>(run: (db: Context['db']) => Promise<Value>): Promise<Value> {
    return this.service.read(this.caller, ({ db }) => run(db), this.#within)
  }

  /** How many cards the caller holds. */
  heldCards(): Promise<number> {
    return this.service.read(this.caller, heldCards, this.#within)
  }

  /** The moves of a record, and what blocks each. */
  async moves(entity_type: MovedType, entity_id: string): Promise<readonly Move[]> {
    return (await this.body('get_allowed_moves', { entity_type, entity_id })).moves
  }
}
