/**
 * A scripted model that clients are run against: it calls given tools, one per turn, and then says that it is done. It
 * supports the API of each client (harness 2).
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call of a tool of the client. */
export interface Call {
  /** Its name, or a pattern for a tool that the client offers under a name of its own. */
  readonly tool: string | RegExp
  /** An object; a text for tools that take a plain text. */
  readonly input: Readonly<Record<string, unknown>> | string
}

/** A call with the name of its tool. */
type NamedCall = Call & { readonly tool: string }

type Body = Readonly<Record<string, unknown>>

/** The requests and responses of a model API. */
interface Form {
  readonly path: RegExp
  /** How many calls of tools were answered in the conversation; undefined for requests that offer no tools. */
  readonly answered: (body: Body) => number | undefined
  /** The events of an answer, with their names where the form has any. */
  readonly call: (call: NamedCall, id: string) => readonly Event[]
  readonly text: (text: string, id: string) => readonly Event[]
  readonly plain?: (text: string) => object
}

type Event = readonly [name: string | null, data: object | string]

const usage = { input_tokens: 1, output_tokens: 1 }
const jsonOf = (input: Call['input']): string => (typeof input === 'string' ? input : JSON.stringify(input))

const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? value : [])
const hasTools = (body: Body): boolean => listOf(body.tools).length > 0

/** Messages of Anthropic: Claude Code. */
const message = (block: object, delta: object, stop_reason: string, id: string): readonly Event[] => [
  [
    'message_start',
    {
      type: 'message_start',
      message: { id, type: 'message', role: 'assistant', model: 'fake', content: [], stop_reason: null, usage },
    },
  ],
  ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }],
  ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
  ['content_block_stop', { type: 'content_block_stop', index: 0 }],
  ['message_delta', { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }],
  ['message_stop', { type: 'message_stop' }],
]

const messages: Form = {
  path: /^\/v1\/messages$/,
  answered: body =>
    hasTools(body)
      ? listOf(body.messages)
          .flatMap(({ content }) => listOf(content))
          .filter(({ type }) => type === 'tool_result').length
      : undefined,
  call: ({ tool, input }, id) =>
    message(
      { type: 'tool_use', id, name: tool, input: {} },
      { type: 'input_json_delta', partial_json: jsonOf(input) },
      'tool_use',
      id,
    ),
  text: (text, id) => message({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn', id),
  plain: text => ({ id: 'm', type: 'message', role: 'assistant', content: [{ type: 'text', text }], usage }),
}

/** Responses of OpenAI: Codex. */
const response = (item: object, id: string): readonly Event[] => [
  ['response.created', { type: 'response.created', response: { id } }],
  ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
  [
    'response.completed',
    { type: 'response.completed', response: { id, usage: { ...usage, total_tokens: 2 }, output: [item] } },
  ],
]

/** The item of a call: there are types of their own for texts and for the search of tools. */
function called(name: string, input: Call['input']): object {
  if (typeof input === 'string') return { type: 'custom_tool_call', name, input }
  if (name === 'tool_search')
    return { type: 'tool_search_call', status: 'completed', execution: 'client', arguments: input }
  const [, namespace, own] = /^(mcp__[a-z]+)__(\w+)$/.exec(name) ?? []
  return {
    type: 'function_call',
    ...(own === undefined ? { name } : { namespace, name: own }),
    arguments: JSON.stringify(input),
  }
}

const responses: Form = {
  path: /\/responses$/,
  answered: body =>
    hasTools(body) ? listOf(body.input).filter(({ type }) => String(type).endsWith('_output')).length : undefined,
  call: ({ tool, input }, id) => response({ call_id: id, ...called(tool, input) }, id),
  text: (text, id) =>
    response({ type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text }] }, id),
}

/** Contents of Google: Gemini CLI. */
const content = (part: object): readonly Event[] => [
  [
    null,
    {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  ],
]

const contents: Form = {
  path: /:(?:streamGenerateContent|generateContent)$/,
  answered: body =>
    hasTools(body)
      ? listOf(body.contents)
          .flatMap(({ parts }) => listOf(parts))
          .filter(({ functionResponse }) => functionResponse !== undefined).length
      : undefined,
  call: ({ tool, input }) => content({ functionCall: { name: tool, args: input } }),
  text: text => content({ text }),
  plain: text => content({ text })[0]![1] as object,
}

/** Chat completions: Copilot CLI. */
const completion = (delta: object, finish_reason: string, id: string): readonly Event[] => {
  const chunk = { id, object: 'chat.completion.chunk', created: 1, model: 'fake' }
  return [
    [null, { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] }],
    [null, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: { total_tokens: 2 } }],
    [null, '[DONE]'],
  ]
}

const completions: Form = {
  path: /\/chat\/completions$/,
  answered: body => (hasTools(body) ? listOf(body.messages).filter(({ role }) => role === 'tool').length : undefined),
  call: ({ tool, input }, id) =>
    completion(
      { tool_calls: [{ index: 0, id, type: 'function', function: { name: tool, arguments: jsonOf(input) } }] },
      'tool_calls',
      id,
    ),
  text: (text, id) => completion({ content: text }, 'stop', id),
  plain: text => ({ choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }),
}

/** A call with the name under which a request offers the tool. */
function named({ tool, input }: Call, body: Body): NamedCall {
  if (typeof tool === 'string') return { tool, input }
  const names = JSON.stringify(body.tools).matchAll(/"name":"([^"]+)"/g)
  const offered = Array.from(names, ([, name]) => name!).find(name => tool.test(name))
  return { tool: offered ?? tool.source, input }
}

const forms = [messages, responses, contents, completions]

function send(answer: ServerResponse, events: readonly Event[]): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of events) {
    if (name !== null) answer.write(`event: ${name}\n`)
    answer.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  answer.end()
}

export interface Model {
  readonly url: string
  /** The texts of all requests so far that offered tools, in their order. */
  readonly requests: readonly string[]
  readonly stop: () => Promise<void>
}

/** Starts a model that makes the calls, in their order, in each conversation. */
export async function startModel(calls: readonly Call[]): Promise<Model> {
  const requests: string[] = []
  let count = 0
  const server = createServer(async (request, answer) => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const form = forms.find(({ path: pattern }) => pattern.test(path))
    if (form === undefined || text === '') {
      answer.writeHead(404, { 'content-type': 'application/json' }).end('{}')
      return
    }
    const body: Body = JSON.parse(text)
    const answered = form.answered(body)
    const id = `call_${++count}`
    const call = answered === undefined ? undefined : calls[answered]
    if (answered !== undefined) requests.push(text)
    if (
      form.plain !== undefined &&
      body.stream !== true &&
      !path.endsWith(':streamGenerateContent') &&
      query !== 'alt=sse'
    )
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(form.plain('Done.')))
    else send(answer, call === undefined ? form.text('Done.', id) : form.call(named(call, body), id))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise(stopped => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
}
