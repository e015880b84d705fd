import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

// biome-ignore lint/suspicious/noExplicitAny: values of all tools
type Value = any

/** The cost so far, in calls and in tokens of `o200k_base`. */
export class Cost {
  calls = 0
  asked = 0
  answered = 0
  refusals = 0

  /** Tokens of arguments and answers. */
  get both(): number {
    return this.asked + this.answered
  }
}

/** A client with one key, in the view for models; each call is counted. */
export class Caller {
  readonly name: string
  readonly #endpoint: string
  readonly #key: string
  readonly #cost: Cost
  readonly #isShown: boolean

  constructor(name: string, endpoint: string, key: string, cost: Cost, isShown: boolean) {
    this.name = name
    this.#endpoint = endpoint
    this.#key = key
    this.#cost = cost
    this.#isShown = isShown
  }

  /** A client with the same key and a separate count. */
  as(cost: Cost): Caller {
    return new Caller(this.name, this.#endpoint, this.#key, cost, this.#isShown)
  }

  /** The value of a tool's answer; a refusal is counted, and its error is returned. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Value> {
    const response = await fetch(this.#endpoint, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    })
    const { result, error } = (await response.json()) as { result?: Value; error?: unknown }
    if (result === undefined) throw new Error(`${this.name}: ${name}: ${JSON.stringify(error)}`)
    const text: string = result.content[0].text
    const requestTokens = countTokens(JSON.stringify({ name, arguments: args }))
    const responseTokens = countTokens(text)
    this.#cost.calls++
    this.#cost.asked += requestTokens
    this.#cost.answered += responseTokens
    if (result.isError) this.#cost.refusals++
    if (this.#isShown) console.log(`${this.name.padEnd(10)} ${name} +${requestTokens} → ${responseTokens}: ${text}`)
    return JSON.parse(text)
  }
}
