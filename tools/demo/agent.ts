import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { tokensOf } from '@specboard/mcp'
import { printRefusal, printStep } from './screen.ts'

type Arguments = Readonly<Record<string, unknown>>

/** One call of a run: `as` names its value for later calls. */
export interface Step {
  readonly as?: string
  readonly name: string
  readonly arguments: Arguments
  readonly fields?: string
}

interface NextAction {
  readonly name: string
  readonly arguments: Arguments
}

// biome-ignore lint/suspicious/noExplicitAny: values of all tools
type Value = any

/** An agent of the demo: its connection over MCP, and what it has cost so far. */
export class Agent {
  readonly name: string
  calls = 0
  /** Operations in these calls: a run of several counts each. */
  operations = 0
  errors = 0
  /** Errors that following their next actions did not resolve. */
  unresolved = 0
  /** Tokens of instructions, calls and answers; the list of tools is counted separately. */
  tokens: number
  readonly #client: Client

  private constructor(name: string, client: Client) {
    this.name = name
    this.#client = client
    this.tokens = tokensOf(client.getInstructions() ?? '')
  }

  /** Connects with the agent's own key. */
  static async connect(url: string, key: string, name: string): Promise<Agent> {
    const client = new Client({ name, version: '1.0.0' })
    const headers = { authorization: `Bearer ${key}` }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
    return new Agent(name, client)
  }

  /** Calls a tool; follows the next actions of a refusal, then asks once more. */
  async call(name: string, args: Arguments): Promise<Value> {
    this.operations++
    const first = await this.#send(name, args)
    if (!first.isError) return first.value
    printRefusal(this.name, name, first.value)
    for (const next of actionsOf(first.value)) {
      this.operations++
      printStep(this.name, `follows ${next.name}`)
      await this.#send(next.name, next.arguments)
    }
    this.operations++
    const second = await this.#send(name, args)
    if (!second.isError) return second.value
    return this.#giveUp(name, second.value)
  }

  /** Runs several operations in one call and returns the values of all. */
  async run(steps: readonly Step[]): Promise<Value[]> {
    this.operations += steps.length
    const { isError, value } = await this.#send('run_operations', { calls: steps })
    if (isError) return this.#giveUp('run_operations', value.results?.at(-1)?.error ?? value)
    return value.results.map((result: Value) => result.value)
  }

  /** Prints what it did. */
  says(did: string, result = ''): void {
    printStep(this.name, did, result)
  }

  /** Ends its connection. */
  leave(): Promise<void> {
    return this.#client.close()
  }

  async #send(name: string, args: Arguments): Promise<{ readonly isError: boolean; readonly value: Value }> {
    this.calls++
    const { content, isError = false } = await this.#client.callTool({ name, arguments: args })
    this.tokens += tokensOf({ name, arguments: args }) + tokensOf(content)
    if (isError) this.errors++
    const [first] = Array.isArray(content) ? content : []
    return { isError, value: first?.type === 'text' ? JSON.parse(first.text) : undefined }
  }

  #giveUp(name: string, value: Value): never {
    this.unresolved++
    printRefusal(this.name, name, value)
    throw new Error(`${this.name}: ${name} was refused, and no next action resolved it.`)
  }
}

/** The first of the suggested calls and others of its kind, each of which resolves one problem. */
function actionsOf({ next_actions: [first, ...others] = [] }: { next_actions?: readonly NextAction[] }): NextAction[] {
  return first === undefined ? [] : [first, ...others.filter(other => other.name === first.name)]
}
