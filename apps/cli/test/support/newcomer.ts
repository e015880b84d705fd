import type { McpWire, ToolAnswer } from './mcp.ts'
import type { TestAgent } from './world.ts'

/** What a newcomer has to say, by the name of the argument that asks for it. */
export type Words = Readonly<Record<string, unknown>>

/** A call that a refusal suggests. */
interface NextAction {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason: string
}

/** The arguments of a tool, as its schema lists them. */
interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

/** A refusal that following its next actions did not resolve. */
export class Stuck extends Error {
  /** The refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: refusals of all tools
  readonly answer: any

  constructor(name: string, answer: unknown) {
    super(`${name}: ${JSON.stringify(answer)}`)
    this.answer = answer
  }
}

/** Refusals in a row that a newcomer follows before it gives one call up. */
const patience = 12

/**
 * An agent that knows nothing of the service but its instructions, the list of tools, and the next actions of
 * refusals. It asks for what it wants; when it is refused, it takes the first action it has not taken for that
 * refusal yet, says what the action's schema and reason ask for, and asks again.
 */
export class Newcomer {
  /** The names of the operations that it called, in order. */
  readonly calls: string[] = []
  readonly #wire: McpWire
  readonly #as: TestAgent
  #words: Words
  readonly #schemas = new Map<string, Schema>()
  readonly #listed: ReadonlySet<string>

  private constructor(
    wire: McpWire,
    as: TestAgent,
    words: Words,
    tools: readonly { name: string; inputSchema: Schema }[],
  ) {
    this.#wire = wire
    this.#as = as
    this.#words = words
    this.#listed = new Set(tools.map(tool => tool.name))
    for (const { name, inputSchema } of tools) this.#schemas.set(name, inputSchema)
  }

  /** A newcomer that has read the list of tools. */
  static async arriving(wire: McpWire, as: TestAgent, words: Words): Promise<Newcomer> {
    const { body } = await wire.legacy('tools/list', undefined, { as })
    return new Newcomer(wire, as, words, body.result.tools)
  }

  /** Gives it more to say. */
  learn(words: Words): void {
    this.#words = { ...this.#words, ...words }
  }

  /**
   * Calls an operation until it succeeds, following the next actions of its refusals.
   * @throws Stuck when a refusal suggests nothing that helps
   */
  // biome-ignore lint/suspicious/noExplicitAny: values of all operations
  async reach(name: string, args: Words = {}): Promise<any> {
    const attempts = new Set<string>()
    let input = await this.#completed(name, args)
    for (let refusals = 0; refusals < patience; refusals++) {
      const { isError, value } = await this.#call(name, input)
      if (!isError) return value
      const more = this.#askedFor(value.detail, input)
      if (Object.keys(more).length > 0) input = { ...input, ...more }
      else if (!(await this.#follow(value, attempts))) throw new Stuck(name, value)
    }
    throw new Error(`${name} was refused ${patience} times: ${this.calls.join(', ')}`)
  }

  /** Takes the first suggested action that was not taken for the same refusal; returns whether there was one. */
  async #follow(refusal: { detail: unknown; next_actions?: readonly NextAction[] }, attempts: Set<string>) {
    for (const next of refusal.next_actions ?? []) {
      const key = JSON.stringify([refusal.detail, next])
      if (attempts.has(key)) continue
      attempts.add(key)
      const added = await this.#namedIn(next)
      await this.reach(next.name, { ...added, ...next.arguments })
      return true
    }
    return false
  }

  /** What it can say for the arguments that a refusal reports as missing. */
  #askedFor(detail: unknown, input: Words): Words {
    const missing = Array.isArray(detail)
      ? detail.map(item => item.loc?.[0])
      : ((detail as { missing?: unknown[] }).missing ?? [])
    return this.#say(missing.filter(name => typeof name === 'string' && !(name in input)) as string[])
  }

  /** What it can say for the arguments that the reason of an action names. */
  async #namedIn({ name, reason }: NextAction): Promise<Words> {
    const { properties = {} } = await this.#schema(name)
    return this.#say((reason.match(/\w+/g) ?? []).filter(word => word in properties))
  }

  async #completed(name: string, args: Words): Promise<Words> {
    const { required = [] } = await this.#schema(name)
    return { ...this.#say(required), ...args }
  }

  #say(names: readonly string[]): Words {
    return Object.fromEntries(names.filter(name => name in this.#words).map(name => [name, this.#words[name]]))
  }

  async #schema(name: string): Promise<Schema> {
    const cached = this.#schemas.get(name)
    if (cached !== undefined) return cached
    const { value } = await this.#wire.tool('find_operations', { query: name, limit: 1 }, { as: this.#as })
    const schema: Schema = value.items[0].input_schema
    this.#schemas.set(name, schema)
    return schema
  }

  #call(name: string, args: Words): Promise<ToolAnswer> {
    this.calls.push(name)
    return this.#listed.has(name)
      ? this.#wire.tool(name, args, { as: this.#as })
      : this.#wire.tool('call_operation', { name, arguments: args }, { as: this.#as })
  }
}
