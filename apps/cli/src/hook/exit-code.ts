/** Where each client reports how a command ended (harness 3.4). Pure: an unknown form counts as unknown, never as 0. */

/** How a command ended: its exit code, or why that is unknown. */
export type CommandEnd = { readonly exit_code: number } | { readonly unknown: string }

/** A client whose hooks are supported. */
export type ClientName = 'claude-code' | 'codex' | 'gemini' | 'cursor' | 'copilot'

/** The input that a client passes to the hook after a command. */
type Input = Readonly<Record<string, unknown>>

const unknown = (why: string): CommandEnd => ({ unknown: why })

const codeOf = (digits: string | undefined): CommandEnd | undefined =>
  digits === undefined || Number(digits) > 255 ? undefined : { exit_code: Number(digits) }

const notRecognised = unknown('the client reported it in an unknown form')

/** How a command ended, according to a client's input; Codex reports it only in its transcript. */
export function endOf(client: ClientName, input: Input, transcript: () => string | undefined): CommandEnd {
  return readers[client](input, transcript)
}

const readers: Readonly<Record<ClientName, (input: Input, transcript: () => string | undefined) => CommandEnd>> = {
  'claude-code': claude,
  codex,
  gemini,
  copilot,
  cursor: () => unknown('Cursor does not report it'),
}

function claude(input: Input): CommandEnd {
  const toolInput = objectIn(input.tool_input)
  const response = objectIn(input.tool_response)
  if (toolInput.run_in_background === true || response.backgroundTaskId !== undefined)
    return unknown('it runs in the background')
  if (response.interrupted === true || input.is_interrupt === true) return unknown('it was interrupted')
  if (input.hook_event_name === 'PostToolUse')
    return typeof response.stdout === 'string' ? { exit_code: 0 } : notRecognised
  if (input.hook_event_name !== 'PostToolUseFailure') return notRecognised
  const error = typeof input.error === 'string' ? input.error : ''
  return codeOf(/^Exit code (\d{1,3})(?:\r?\n|$)/.exec(error)?.[1]) ?? notRecognised
}

function gemini(input: Input): CommandEnd {
  const response = objectIn(input.tool_response)
  const { llmContent } = response
  const text = typeof llmContent === 'string' ? llmContent : undefined
  if (text === undefined) return notRecognised
  if (objectIn(input.tool_input).is_background === true || /^Background PIDs: \d/m.test(text))
    return unknown('it runs in the background')
  if (/^Signal: (?!\(none\))\S/m.test(text) || /cancelled|timed out/i.test(text.slice(0, 200)))
    return unknown('it was interrupted')
  const exitLine = text.match(/^Exit Code: .*$/gm)?.at(-1)
  if (exitLine !== undefined) return codeOf(/^Exit Code: (\d{1,3})$/.exec(exitLine)?.[1]) ?? notRecognised
  return response.error == null && !/^Error: (?!\(none\))\S/m.test(text) ? { exit_code: 0 } : notRecognised
}

function copilot(input: Input): CommandEnd {
  const { textResultForLlm } = objectIn(input.toolResult)
  if (typeof textResultForLlm !== 'string') return notRecognised
  const last = textResultForLlm.trimEnd().split('\n').at(-1)!
  return (
    codeOf(/^<(?:shellId|command): ?[^<>]* (?:completed )?with exit code (\d{1,3})>$/.exec(last)?.[1]) ?? notRecognised
  )
}

/** Reads the call's item in the transcript, because Codex passes only the output to its hook. */
function codex(input: Input, transcript: () => string | undefined): CommandEnd {
  const id = input.tool_use_id
  const text = typeof id === 'string' && id !== '' ? transcript() : undefined
  if (text === undefined) return notRecognised
  for (const line of text.split('\n').toReversed()) {
    if (!line.includes(id as string) || !line.includes('exit_code')) continue
    const { payload } = objectIn(parsed(line))
    const { type, item } = objectIn(payload)
    const { id: itemId, exit_code } = objectIn(item)
    if (type === 'item_completed' && itemId === id)
      return Number.isInteger(exit_code) ? (codeOf(String(exit_code)) ?? notRecognised) : notRecognised
  }
  return unknown('it is not in the transcript')
}

const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
